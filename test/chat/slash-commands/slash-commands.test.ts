/** Each slash command in the chat, and what it prints. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { said } from '../../helpers/conversations.ts'
import { realPng } from '../../helpers/images.ts'
import { chat as family } from '../../helpers/families.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { events, chatAnswer, json, type Answer } from '../../helpers/service.ts'
import { talk } from '../../helpers/talking.ts'

const hello = family.streamed('Hello')
const { user, assistant } = family

/** One after the other, in one chat that asks no model. */
const inOneLine: [line: string, shown: RegExp | string][] = [
  ['/model syn:small:text', 'the model is syn:small:text'],
  ['/model nonsense', /^syn: \/model: "nonsense" is not accepted; expected a name/],
  ['/model', 'the model is syn:small:text'],
  ['/system', 'there is no instruction'],
  ['/system Be brief.', 'the instruction is: Be brief.'],
  ['/system', 'the instruction is: Be brief.'],
  ['/system ""', 'there is no instruction'],
  ['/set', /^no field is set fields: frequency_penalty, .*, top_logprobs, /],
  ['/set temperature 0.5', 'temperature 0.5'],
  ['/set --max-tokens 5', 'temperature 0.5 max_tokens 5'],
  ['/set seed=3', 'temperature 0.5 max_tokens 5 seed 3'],
  ['/set seed', 'temperature 0.5 max_tokens 5'],
  ['/set temperature', 'max_tokens 5'],
  ['/set temperature 5', 'syn: /set temperature: 5 is not accepted; expected a number from 0 to 2'],
  ['/set temprature 1', 'syn: /set: there is no field "temprature" (did you mean temperature?)'],
  ['/set parallel_tool_calls yes', 'syn: /set parallel_tool_calls: "yes" is not accepted; expected true or false'],
  ['/set stop ["a","b"]', 'max_tokens 5 stop ["a","b"]'],
  ['/set stop ["a"', /^syn: \/set stop: not valid JSON at line 1, column 5/],
  ['/set stop END', 'max_tokens 5 stop "END"'],
  ['/rename ""', 'syn: /rename: the name is empty'],
  ['/set tools @-', /^syn: \/set tools: standard input is the terminal/],
  ['/image -', 'syn: standard input is the terminal; expected a path'],
  ['/image nowhere.png', 'syn: /image: cannot read nowhere.png: no such file'],
  ['/file', 'nothing goes along with the next message'],
  ['/undo', 'syn: nothing was said yet'],
  ['/retry', 'syn: nothing was said yet'],
  ['/retry gpt', /^syn: \/retry: "gpt" is not accepted; expected a name/],
  ['/copy', 'syn: there is no answer to copy yet'],
  ['/new now', 'syn: /new takes no argument'],
  ['/load nowhere', /^syn: there is no conversation "nowhere"/],
  ['/sessions', 'there are no conversations yet'],
  ['/usage', 'no tokens were counted yet'],
  ['/tokens', 'syn: nothing was said yet'],
  ['/raw on', 'Markdown is shown as it is'],
  ['/raw', 'Markdown is shown as it is'],
  ['/raw off', 'Markdown is shown laid out'],
  ['/reasoning on', 'reasoning is shown'],
  ['/reasoning', 'reasoning is shown'],
  ['/reasoning off', 'reasoning is summed up'],
  ['/reasoning maybe', 'syn: /reasoning: "maybe" is not accepted; expected on or off'],
  ['/modle', /^syn: there is no command "\/modle" \(did you mean \/model\?\) hint: \/help lists them/],
]

describe.each([80, 40])('at %d columns', (columns) => {
  test('each answers in a line', async () => {
    await using chat = await talk([json({ data: [] })], { columns })
    const shown: [line: string, shown: string][] = []
    for (const [line] of inOneLine) {
      await chat.say(line)
      shown.push([line, chat.told(`› ${line}`)])
    }
    expect(shown).toEqual(inOneLine.map(([line, text]) => [line, expect.stringMatching(asPattern(text))]))
    expect(chat.screen.lines().filter((line) => line.length > columns)).toEqual([])
    expect(chat.sent()).toEqual([])
  })

  test('/help fits', async () => {
    await using chat = await talk([hello], { columns })
    await chat.say('/help')
    const lines = chat.below('› /help')
    const row = lines.findIndex((line) => line.startsWith('/model [NAME]'))
    const advice = 'Ask this model from here on; alone tells which one it is.'
    if (columns > 40) expect(lines[row]).toBe(`/model [NAME]         ${advice}`)
    else
      expect(lines.slice(row, row + 3).map((line) => line.trim())).toEqual([
        '/model [NAME]',
        expect.anything(),
        expect.anything(),
      ])
    expect(lines.map((line) => line.trim()).join(' ')).toContain(advice)
    expect(lines.some((line) => (columns > 40 ? /^Ctrl-R {2,}Search what was sent/ : /^Ctrl-R$/).test(line))).toBe(true)
    expect(lines.join(' ')).toContain('//text sends text that begins with a slash.')
    expect(lines.filter((line) => line.length > columns)).toEqual([])
  })

  test('Tab completes commands, models and paths', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'notes.txt'), 'remember')
    await using chat = await talk([hello], { folder, columns })
    const typed = async (keys: string, last: string): Promise<void> => {
      chat.screen.type(keys)
      await chat.screen.until((lines) => lines.at(-1) === last)
    }
    await typed('/mo\t', '› /model')
    await typed('syn:s\t', '› /model syn:small:')
    await typed('\t', 'syn:small:text    syn:small:vision')
    await typed('\u0015/file no\t', '› /file notes.txt')
    await typed('\u0015/reasoning o\t\t', 'on   off')
  })

  test('/copy writes the clipboard, and nothing else does', async () => {
    const hostile = events(chatAnswer(['\u001b]52;c;aGVsbG8=\u0007']))
    await using chat = await talk([hostile], { columns })
    await chat.say('hi')
    expect(chat.screen.written()).not.toContain('\u001b]52')
    await chat.say('/copy')
    const text = Buffer.from('\u001b]52;c;aGVsbG8=\u0007').toString('base64')
    expect(chat.screen.written()).toContain(`\u001b]52;c;${text}\u0007`)
    expect(chat.told('› /copy')).toBe('copied 16 characters, where the terminal allows it')
  })

  test('/save writes Markdown, JSON or lines of JSON, as the name says', async () => {
    const folder = emptyFolder()
    await using chat = await talk([hello], { folder, columns })
    await chat.say('hi')
    const written: Record<string, string> = {}
    for (const name of ['talk.md', 'talk.json', 'talk.jsonl']) {
      await chat.say(`/save ${name}`)
      expect(chat.below(`› /save ${name}`)[0]).toBe(`written to ${name}`)
      written[name] = readFileSync(join(folder, name), 'utf8')
    }
    expect(written).toEqual({
      'talk.md': '# hi\n\n## User\n\nhi\n\n## Assistant\n\nHello\n',
      'talk.json': '[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello"}]\n',
      'talk.jsonl': '{"role":"user","content":"hi"}\n{"role":"assistant","content":"Hello"}\n',
    })
  })

  test('/tokens has the service count, /quota asks it, /usage sums up', async () => {
    const service: Answer = (asked, response) => {
      if (asked.path.endsWith('/count_tokens')) return json({ input_tokens: 12 })(asked, response)
      if (asked.path.endsWith('/models'))
        return json({ data: [{ id: 'hf:one', context_length: 100 }] })(asked, response)
      if (asked.path.endsWith('/quotas')) {
        return json({ subscription: { limit: 10, requests: 2, renewsAt: 'soon' } })(asked, response)
      }
      return hello(asked, response)
    }
    await using chat = await talk([service], { columns, argv: ['-m', 'hf:one', '-s', 'Be brief.'] })
    await chat.say('hi')
    await chat.say('/tokens')
    expect(chat.told('› /tokens')).toBe('12 tokens · 12.0 % of the 100 of hf:one')
    expect(chat.service.asked.find(({ path }) => path.endsWith('/count_tokens'))?.json).toEqual({
      model: 'hf:one',
      system: 'Be brief.',
      messages: [user('hi'), assistant('Hello')],
    })
    await chat.say('/quota')
    expect(chat.below('› /quota').join('\n')).toMatch(/subscription\s.*█+░+  2 of 10 used/s)
    await chat.say('/usage')
    expect(chat.told('› /usage')).toBe('1 answer · 3 prompt + 2 completion tokens')
  })

  test('/image shows the sandbox a picture', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'dot.png'), realPng)
    await using chat = await talk([hello], { folder, columns, argv: ['--sandbox', '--max-tokens', '20'] })
    await chat.say('/image dot.png')
    expect(chat.told('› /image')).toBe('dot.png goes along with the next message')
    await chat.say('what is this?')
    expect(chat.told('› what is this?')).toContain('You sent a PNG image of 1 × 1 pixels')
    expect(said(chat.home, 'end')).toHaveLength(1)
  })
})

function asPattern(text: RegExp | string): RegExp {
  return typeof text === 'string' ? new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`) : text
}
