/** Lines that hold a part of an answer, known as such without understanding them: they are most of a file. */

const characters = String.raw`[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*`
const delta = String.raw`\{"type":"(?:text|reasoning|refusal)","index":(?:0|[1-9]\d{0,8}),"text":"${characters}"\}`
const beginning = '{"type":"part","answer":"'

/** Exactly as it is written, to its end, so that nothing damaged or glued together passes for a part. */
const whole = new RegExp(String.raw`^${beginning}[\w-]+","deltas":\[${delta}(?:,${delta})*\]\}$`)

/** @returns the id of the answer; nothing for any other line, and for parts in any other form. */
export function answerOfPart(line: string): string | undefined {
  if (!whole.test(line)) return undefined
  return line.slice(beginning.length, line.indexOf('"', beginning.length))
}
