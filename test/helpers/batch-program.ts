/** `syn batch`, with files in a folder of its own, against a service that counts. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Service } from './service.ts'
import { type Ended, environment, type Running, shell, startSyn } from './program.ts'
import { emptyFolder, type Outcome, runSyn, type RunOptions } from './run-syn.ts'

export class BatchProgram {
  readonly folder = emptyFolder()
  readonly env: Record<string, string>
  readonly output = this.path('out.jsonl')
  readonly input = this.path('in.txt')

  constructor(service: Pick<Service, 'env'>, lines: readonly string[] = []) {
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

  /** Runs it in this process, with the time of the service. */
  run(argv: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    return runSyn(['batch', ...argv], { now: Date.now, ...options, env: this.env })
  }

  /** Runs the input, to the output. */
  file(...options: string[]): Promise<Outcome> {
    return this.run([this.input, '-o', this.output, ...options])
  }

  /** Runs the input, to standard output. */
  filter(...options: string[]): Promise<Outcome> {
    return this.run([this.input, ...options])
  }

  pipe(text: string, ...options: string[]): Promise<Outcome> {
    return this.run(options, { stdin: text })
  }

  /** Starts the built program. */
  start(argv: readonly string[], stdio?: ('pipe' | 'ignore' | number)[]): Running {
    return startSyn(['batch', ...argv], this.env, stdio)
  }

  /** The same with the input and the output. */
  startFile(...options: string[]): Running {
    return this.start([this.input, '-o', this.output, ...options])
  }

  /** Runs what a run printed as its continuation in a shell. */
  continued(stopped: Pick<Outcome, 'err'>): Promise<Ended> {
    return shell(/: (syn batch .*)$/m.exec(stopped.err)?.[1] ?? 'false', this.env)
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
