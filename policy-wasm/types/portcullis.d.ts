export type PolicyConfig = unknown; export type Request = unknown; export type Verdict = unknown;
