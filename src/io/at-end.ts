/** What is done at the end of a block, however it ends: `using _file = atEnd(() => closeSync(file))`. */
export function atEnd(work: () => void): Disposable {
  return { [Symbol.dispose]: work }
}
