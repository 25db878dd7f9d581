/** GitHub Copilot SDK; see `../check.ts`. */
import type { PermissionHandler } from "@github/copilot-sdk";
import { createPolicy } from "portcullis";
import { copilotPermissions } from "portcullis/adapters";

export const copilot: PermissionHandler = copilotPermissions({ policy: await createPolicy() });
