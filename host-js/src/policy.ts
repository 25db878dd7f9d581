/**
 * A policy: compiled rules and settings that judge commands.
 *
 * Every method is synchronous and works on text alone. Spans are UTF-16 offsets, so `command.slice(...span)` is the text
 * meant.
 */
import { createRaw, discard, generation, refusal, text, type RawEngine } from "./engine.js";
import { PolicyError } from "./error.js";
import type {
  Config,
  Context,
  Explanation,
  ParseReport,
  PolicyConfig,
  Question,
  Request,
  Suggestion,
  Tools,
  Verdict,
} from "./types.js";

/** Answers to prompt rules, by question id. */
export type Answers = Readonly<Record<string, boolean>>;

/** A host's classifier: does the prompt rule match the command? */
export type Classifier = (question: Question, command: string) => boolean | Promise<boolean>;

/** Most answers that are kept; the oldest go first. */
const MAX_ANSWERS = 1000;

export class Policy {
  // Bundlers rename clashing classes; this one is seen by people.
  static readonly name = "Policy";

  #config: Config;
  #registry: Uint8Array | undefined;
  #raw: RawEngine | undefined;
  #generation = 0;
  #disposed = false;
  readonly #answers = new Map<string, boolean>();

  /** @internal use `createPolicy` */
  constructor(config: Config) {
    this.#config = copy(config);
    this.#attempt(() => undefined);
  }

  /**
   * Judges a command.
   *
   * Never throws for what the command text holds. If the engine itself fails, the answer is an `ask` (a `deny` where
   * nobody could be asked) with the code `engine.fault`, and the next call uses a fresh instance.
   *
   * @throws PolicyError `request.invalid` when the context has unknown or ill-typed keys
   */
  evaluate(command: string, context: Context = {}): Verdict {
    const request = this.#request(command, context);
    try {
      return this.#attempt((raw) => raw.evaluate(request));
    } catch (error) {
      if (error instanceof PolicyError && error.code === "engine.fault") return faultVerdict(request, error.message);
      throw error;
    }
  }

  /**
   * Judges a command, asking `classify` about each prompt rule that could decide it. Answers are kept, as by
   * {@link answer}.
   */
  async resolve(command: string, context: Context = {}, classify?: Classifier): Promise<Verdict> {
    let verdict = this.evaluate(command, context);
    // Each round answers every open question, so two rounds settle it; the bound only guards against a loop.
    for (let round = 0; classify && verdict.questions.length > 0 && round < 4; round += 1) {
      for (const question of verdict.questions) {
        this.answer({ [question.id]: await classify(question, command) });
      }
      verdict = this.evaluate(command, context);
    }
    return verdict;
  }

  /** The rules that "always allow" would store for this command. */
  suggest(command: string, context: Context = {}): Suggestion[] {
    const request = this.#request(command, context);
    return this.#attempt((raw) => raw.suggest(request));
  }

  /** The invocations as the policy sees them. */
  parse(command: string, context: Context = {}): ParseReport {
    const request = this.#request(command, context);
    return this.#attempt((raw) => raw.parse(request));
  }

  /** The verdict in words, part by part. */
  explain(command: string, context: Context = {}): Explanation {
    const request = this.#request(command, context);
    return this.#attempt((raw) => raw.explain(request));
  }

  /** A description of the shell tool for a model, made from what the host has. */
  describeTool(tools: Tools = {}): string {
    return this.#attempt((raw) => raw.describeTool(tools));
  }

  /**
   * Answers questions of earlier verdicts; later evaluations use them. The last 1000 answers are kept.
   */
  answer(answers: Answers): void {
    for (const [id, matches] of Object.entries(answers)) {
      if (typeof matches !== "boolean") {
        throw new PolicyError("request.invalid", `the answer to \`${id}\` is not true or false`, { path: id });
      }
      this.#answers.delete(id);
      this.#answers.set(id, matches);
    }
    for (const id of this.#answers.keys()) {
      if (this.#answers.size <= MAX_ANSWERS) break;
      this.#answers.delete(id);
    }
  }

  /**
   * Replaces the keys given; the others stay. On an error nothing changes.
   *
   * @throws PolicyError with `code`, and `path` and `position` of what is wrong
   */
  update(config: Config): void {
    const next = { ...this.#config, ...copy(config) };
    this.#attempt((raw) => raw.update(layered(next)), next);
    this.#config = next;
  }

  /** Gives the registry of known commands, which makes suggestions finer. It never changes a verdict. */
  useRegistry(bytes: Uint8Array): void {
    this.#attempt((raw) => raw.setRegistry(bytes));
    this.#registry = bytes;
  }

  /** Frees the compiled rules. Later calls throw `policy.disposed`. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (this.#raw !== undefined && this.#generation === generation) this.#raw.free();
    this.#raw = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #request(given: string, context: Context): Request {
    check(given);
    const command = wellFormed(given);
    const answers = this.#answers.size === 0 ? context.answers : { ...Object.fromEntries(this.#answers), ...context.answers };
    return answers === undefined ? { ...context, command } : { ...context, command, answers };
  }

  /** Runs `use` on a live engine; a fault discards the instance and becomes a `PolicyError`. */
  #attempt<T>(use: (raw: RawEngine) => T, config: Config = this.#config): T {
    if (this.#disposed) throw new PolicyError("policy.disposed", "the policy was disposed");
    try {
      if (this.#raw === undefined || this.#generation !== generation) {
        this.#raw = undefined;
        const raw = createRaw(layered(this.#config));
        this.#generation = generation;
        if (this.#registry !== undefined) raw.setRegistry(this.#registry);
        this.#raw = raw;
      }
      return use(this.#raw);
    } catch (thrown) {
      const refused = refusal(thrown);
      if (refused !== undefined) throw atTop(config) ? withoutLayer(refused) : refused;
      this.#raw = undefined;
      discard();
      throw new PolicyError("engine.fault", `the engine failed: ${text(thrown)}`, { cause: thrown });
    }
  }
}

/** A copy that the host cannot change later; what is no data is refused. */
function copy(config: Config): Config {
  try {
    return structuredClone(config);
  } catch (cause) {
    throw new PolicyError("config.invalid", `the configuration is not plain data: ${text(cause)}`, { cause });
  }
}

/** Whether rules stand at the top of a configuration. */
function atTop({ allow, ask, deny }: Config): boolean {
  return allow !== undefined || ask !== undefined || deny !== undefined;
}

/** A fault in rules at the top is told as being there. */
function withoutLayer(error: PolicyError): PolicyError {
  const path = error.path?.replace(/^user\./, "");
  return new PolicyError(error.code, error.message, { path, position: error.position });
}

/** Puts rules at the top of a configuration where they belong. */
function layered(config: Config): PolicyConfig {
  const { allow, ask, deny, ...layers } = config;
  if (!atTop(config)) return layers;
  if (layers.user !== undefined) {
    throw new PolicyError("config.invalid", "rules stand at the top and in `user`; put them in `user`", { path: "user" });
  }
  return { ...layers, user: { ...(allow && { allow }), ...(ask && { ask }), ...(deny && { deny }) } };
}

/**
 * The text as it reaches a program: halves of surrogate pairs, which no UTF-8 text can hold, become U+FFFD. Each is one
 * unit either way, so spans stay right.
 */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function check(command: string): void {
  if (typeof command !== "string") {
    throw new PolicyError("request.invalid", `the command is not a text but ${typeof command}`, { path: "command" });
  }
}

/** The careful answer when there is no other: never an allow. */
function faultVerdict(request: Request, message: string): Verdict {
  const nobody = request.unattended === true || request.mode === "dontAsk" || request.mode === "plan";
  return {
    decision: nobody ? "deny" : "ask",
    reason: { code: "engine.fault", message, span: [0, request.command.length], rule: null },
    capability: { readOnly: false, needsApproval: true, riskLevel: "high", sideEffectScope: "system" },
    parse: { status: "error", permissionSafe: false, unsupported: [] },
    commands: [],
    suggestions: [],
    conditions: { env: {} },
    questions: [],
  };
}
