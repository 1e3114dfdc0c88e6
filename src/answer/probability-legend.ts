import type { Style } from '../terminal/style.ts'

const steps = 10

/** A line that tells what the colours of tokens mean. */
export function probabilityLegend({ probability }: Style): string {
  const scale = Array.from({ length: steps }, (_, step) => probability('■', (step + 0.5) / steps))
  return `syn: probability 0% ${scale.join('')} 100%\n`
}
