/** Embeddings of many lines: CPU time against fetch and JSON.parse, and memory that must not grow with the lines. */

import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { compare, type Entrant, type Figure, type Setting } from './figures.ts'
import { prints } from './measure.ts'
import { type Format, formats, problemOfFile, type Size } from './embedding-files.ts'
import { modelWithNumbers, textToEmbed } from './replies.ts'
import { programFile } from './rivals.ts'

export async function measureEmbeddings(setting: Setting): Promise<Figure[]> {
  const { node, baseUrl, key } = setting
  const size: Size = { lines: 2000, dimensions: 1024 }
  const input = await writeTexts(size.lines, setting)
  const base: Entrant = {
    id: 'embeddings/fetch',
    label: 'fetch and JSON.parse',
    command: [node, programFile('embeddings.mjs'), baseUrl, key, modelWithNumbers(size.dimensions)],
    input,
    problem: prints(String(size.lines * size.dimensions)),
    peak: true,
  }
  return compare(base, [synEntrant('embeddings/jsonl', 'jsonl', size, input, setting)], setting)
}

/** Sizes, the base of a comparison first. */
const memorySizes: Readonly<Record<string, readonly [Size, Size]>> = {
  64: [
    { lines: 100_000, dimensions: 64 },
    { lines: 1_000_000, dimensions: 64 },
  ],
  1024: [
    { lines: 20_000, dimensions: 1024 },
    { lines: 100_000, dimensions: 1024 },
  ],
}

export async function measureEmbeddingMemory(setting: Setting): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const format of formats) {
    for (const [dimensions, sizes] of Object.entries(memorySizes)) {
      const id = `embedding-memory/${format}-${dimensions}`
      if (!setting.wants(id)) continue
      const [few, many] = (await Promise.all(
        sizes.map(async (size) => {
          const label = `syn embed, ${size.lines.toLocaleString('en')} × ${dimensions}, ${format}`
          const input = await writeTexts(size.lines, setting)
          return { ...synEntrant(id, format, size, input, setting), label }
        }),
      )) as [Entrant, Entrant]
      figures.push(...(await compare({ ...few, id: `${id}-few` }, [many], setting)))
    }
  }
  return figures
}

async function writeTexts(lines: number, { folder }: Setting): Promise<string> {
  const path = join(folder, `lines-${lines}`)
  await pipeline(Readable.from(textLines(lines)), createWriteStream(path))
  return path
}

function* textLines(count: number): Generator<string> {
  for (let first = 0; first < count; first += 1000) {
    yield Array.from({ length: Math.min(1000, count - first) }, (_, at) => `${textToEmbed(first + at)}\n`).join('')
  }
}

function synEntrant(id: string, format: Format, size: Size, input: string, setting: Setting): Entrant {
  const output = join(setting.folder, `embeddings.${format}`)
  const model = modelWithNumbers(size.dimensions)
  return {
    id,
    label: `syn embed, ${format}`,
    command: [setting.node, setting.syn, 'embed', '--lines', '-m', model, '-o', output],
    input,
    peak: true,
    problem: () => problemOfFile(format, output, size).finally(() => rmSync(output)),
  }
}
