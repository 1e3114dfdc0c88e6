/** The built `syn batch`, with files in a folder of its own, against a service that counts. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BatchService } from './batch-service.ts'
import { type Ended, environment, type Running, shell, startSyn } from './program.ts'
import { emptyFolder } from './run-syn.ts'

export class BatchProgram {
  readonly folder = emptyFolder()
  readonly env: Record<string, string>
  readonly output = this.path('out.jsonl')
  readonly input = this.path('in.txt')

  constructor(service: BatchService, lines: readonly string[] = []) {
    this.env = environment(service)
    this.write(lines)
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** Writes the input. */
  write(lines: readonly string[]): void {
    writeFileSync(this.input, lines.map((line) => `${line}\n`).join(''))
  }

  start(argv: readonly string[], stdio?: ('pipe' | 'ignore' | number)[]): Running {
    return startSyn(['batch', ...argv], this.env, stdio)
  }

  /** Runs the input, to the output. */
  startFile(...options: string[]): Running {
    return this.start([this.input, '-o', this.output, ...options])
  }

  file(...options: string[]): Promise<Ended> {
    return this.startFile(...options).ended
  }

  /** Runs the input, to standard output. */
  filter(...options: string[]): Promise<Ended> {
    return this.start([this.input, ...options]).ended
  }

  pipe(text: string, ...options: string[]): Promise<Ended> {
    const run = this.start(options, ['pipe', 'pipe', 'pipe'])
    run.child.stdin?.end(text)
    return run.ended
  }

  /** Runs the command that a run printed as its continuation. */
  continued({ err }: Ended): Promise<Ended> {
    const [, line = 'false'] = /: (syn batch .*)$/m.exec(err) ?? []
    return shell(line, this.env)
  }

  /** The rows of a file of results, without what is the same in all. */
  rows(path = this.output): Row[] {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    return lines.map((line) => {
      const { custom_id: id, response, error } = JSON.parse(line) as OutputRow
      return { id, text: response?.body.choices[0].message.content, code: error?.code }
    })
  }

  errors(): Row[] {
    return this.rows(this.path('out.errors.jsonl'))
  }

  exists(name: string): boolean {
    return existsSync(this.path(name))
  }
}

interface Row {
  id: string
  text: string | undefined
  code: string | undefined
}

interface OutputRow {
  custom_id: string
  response: { body: { choices: [{ message: { content: string } }] } } | null
  error: { code: string } | null
}

/** `count` different prompts. */
export function prompts(count: number): string[] {
  return Array.from({ length: count }, (_, row) => `prompt ${row + 1}`)
}
