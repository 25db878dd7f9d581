/** The module, resolved by the build. */
declare module "#core.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "#core.wasm.base64" {
  const encoded: string;
  export default encoded;
}
