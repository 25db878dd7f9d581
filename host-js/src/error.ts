/** Where a mistake stands in a configuration text or list. */
export interface ErrorPosition {
  /** Offset in UTF-16 units of the text named by `path`. */
  readonly offset?: number;
  /** Line, from 1. */
  readonly line?: number;
  /** Column, from 1. */
  readonly column?: number;
}

/**
 * Everything that `portcullis` throws.
 *
 * `code` is stable: `config.invalid`, `rule.invalid`, `request.invalid`, `module.load`, `module.missing`,
 * `policy.disposed`, `engine.fault`. For configuration, `path` names the key (`allow[3]`) and `position` the place in
 * its text.
 */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  readonly code: string;
  readonly path: string | undefined;
  readonly position: ErrorPosition | undefined;

  constructor(
    code: string,
    message: string,
    more: { path?: string | undefined; position?: ErrorPosition | undefined; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.path = more.path;
    this.position = more.position;
  }
}
