/** Does work at the end of a block, however it ends, as `defer` of Go: `using _file = defer(() => closeSync(file))`. */
export function defer(work: () => void): Disposable {
  return { [Symbol.dispose]: work }
}
