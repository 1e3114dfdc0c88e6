import type { Vector } from '../api/embeddings/decode.ts'

const heights = [...'▁▂▃▄▅▆▇█']

/** A vector as a row of bars, each the mean of a stretch of values: half as high for zero, and as high as it gets for the most. */
export function sketch(vector: Vector, columns: number): string {
  const count = Math.min(columns, vector.length)
  const means = Array.from({ length: count }, (_, bar) => {
    const [start = 0, end = 0] = [bar, bar + 1].map((edge) => Math.floor((edge * vector.length) / count))
    return vector.slice(start, end).reduce((sum, value) => sum + value / (end - start), 0)
  })
  const most = Math.max(...means.map(Math.abs))
  const shares = means.map((mean) => (most === 0 ? 0.5 : (mean / most + 1) / 2))
  return shares.map((share) => heights[Math.round(share * (heights.length - 1))]).join('')
}
