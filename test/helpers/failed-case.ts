/** The case that made a property fail, kept in a file. */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { stringify } from 'fast-check'

interface TestName {
  readonly testPath?: string
  readonly currentTestName?: string
}

/** @typeParam Case The arguments of the property. */
export class FailedCase<Case> {
  readonly #path: string
  readonly #test: string

  constructor(folder: string, { testPath = '', currentTestName = '' }: TestName) {
    const hash = createHash('sha256').update(currentTestName).digest('hex').slice(0, 8)
    this.#path = join(folder, `${basename(testPath, '.test.ts')}-${hash}.json`)
    this.#test = currentTestName
  }

  /** @returns the case, or nothing if there is none. */
  read(): Case[] {
    if (!existsSync(this.#path)) return []
    const { value } = JSON.parse(readFileSync(this.#path, 'utf8')) as { value: string }
    return [deserialize(Buffer.from(value, 'base64')) as Case]
  }

  /** `shown` is for people; JSON could not hold the value: bytes, undefined, -0. */
  write(failed: Case): void {
    const [value, shown] = [serialize(failed).toString('base64'), stringify(failed)]
    mkdirSync(join(this.#path, '..'), { recursive: true })
    writeFileSync(this.#path, `${JSON.stringify({ test: this.#test, shown, value }, undefined, 2)}\n`)
  }
}
