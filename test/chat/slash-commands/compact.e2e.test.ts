/** /compact: the conversation goes on from a summary of it, or stays as it is. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cut, delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { conversationFiles, entriesIn, linesIn, sessions } from '../../helpers/conversations.ts'
import { liveReply } from '../../helpers/fixtures.ts'
import { chat as chatFamily, dialects } from '../../helpers/dialects.ts'
import { type InteractiveChat, lastTextLine, openChat } from '../../helpers/interactive-chat.ts'
import { realPng } from '../../helpers/images.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { type Answer, json } from '../../helpers/service.ts'
import { wide } from '../../helpers/terminal.ts'

const { streamed: answering, user, assistant } = chatFamily

const long = answering('A long answer.', { usage: [41_000, 200] })
const summary = answering('They talked about ', 'boats.', { usage: [41_300, 9] })
const request: unknown = expect.stringMatching(/^Summarize our conversation so far\./)

/** The texts of the messages of the last request, with their roles. */
function lastSent(chat: InteractiveChat): unknown[] {
  return (
    chat
      .sent()
      .at(-1)
      ?.messages.map(({ role, content }) => [role, content]) ?? []
  )
}

function afterSummary(message: string, summarized = 'They talked about boats.'): unknown[] {
  return [
    ['user', request],
    ['assistant', summarized],
    ['user', message],
  ]
}

/** Undoes the last message, which returns to the line. */
async function undo(chat: InteractiveChat, message: string): Promise<void> {
  await chat.type('/undo\r', `› ${message}`)
  await chat.clear()
}

describe.each(dialects)('$name', (dialect) => {
  test('the summary takes the place of the messages, and /undo brings them back', async () => {
    const first = dialect.streamed('A long answer.', { usage: [41_000, 200] })
    const second = dialect.streamed('They talked about boats.', { usage: [41_300, 9] })
    await using chat = await openChat([first, second, dialect.streamed('Sure.')], {
      dialect,
      argv: ['-s', 'Be brief.', '-m', 'hf:one', '--max-tokens', '50', '--temperature', '0'],
    })
    await chat.enter('about boats?')
    await chat.enter('/compact the "names"')
    expect(chat.textBelow('› /compact')).toMatch(
      /^They talked about boats\. 41,300 \+ 9 tokens · .*compacted: about 41,200 → \d\d tokens; \/undo brings the messages back$/,
    )
    const asked = chat.sent()[1]
    const instruction = asked?.messages.at(-1)?.content as string
    expect(instruction).toContain('Keep in mind: the "names"')
    expect(asked).toEqual({
      model: 'hf:one',
      temperature: 0,
      ...dialect.alwaysSent,
      ...dialect.conversation({
        system: 'Be brief.',
        messages: [dialect.user('about boats?'), dialect.assistant('A long answer.'), dialect.user(instruction)],
      }),
    })
    await chat.enter('go on')
    const summarized = [dialect.user(instruction), dialect.assistant('They talked about boats.')]
    expect(chat.sent()[2]).toMatchObject({
      max_tokens: 50,
      ...dialect.conversation({ system: 'Be brief.', messages: [...summarized, dialect.user('go on')] }),
    })
    await chat.enter('/usage')
    expect(chat.textBelow('› /usage')).toBe('in this conversation: 3 answers · 82,303 prompt + 211 completion tokens')
    await undo(chat, 'go on')
    await chat.enter('/undo')
    expect(chat.textBelow('› /undo')).toBe('undone: /compact; the messages before it are back')
    await chat.enter('again')
    expect(chat.sent()[3]).toMatchObject(
      dialect.conversation({
        system: 'Be brief.',
        messages: [dialect.user('about boats?'), dialect.assistant('A long answer.'), dialect.user('again')],
      }),
    )
  })
})

test('right after it, nothing resends the request for the summary; a later message is sent again after the summary', async () => {
  await using chat = await openChat([long, summary, answering('One.'), answering('Two.')], { env: { EDITOR: 'cat' } })
  await chat.enter('about boats?')
  await chat.enter('/compact')
  for (const command of ['/retry', '/edit']) {
    await chat.enter(command)
    expect(chat.textBelow(`› ${command}`)).toBe(
      'syn: no message since /compact hint: use /undo to bring back those before it',
    )
  }
  expect(chat.sent()).toHaveLength(2)
  await chat.enter('/show')
  expect(chat.linesBelow('› /show')).toEqual([
    expect.stringMatching(/^the summary · \d\d:\d\d/),
    '',
    'They talked about boats.',
    '',
  ])
  await chat.enter('/copy')
  expect(chat.textBelow('› /copy')).toMatch(/^copied 24 characters of the summary /)
  await chat.enter('more')
  await chat.enter('/retry')
  expect(lastSent(chat)).toEqual(afterSummary('more'))
  await undo(chat, 'more')
})

const failures: [what: string, answer: Answer, shown: string | RegExp][] = [
  ['an error', json({ error: { message: 'busy' } }, 400), /^syn: \/compact: the conversation is unchanged: .*busy.*$/],
  ['too long', answering('long '.repeat(20_000)), /more than half as long as what it would replace$/],
  ['empty', answering(''), /unchanged: the answer is empty$/],
  ['cut at the token limit', streamed(delta('Half of'), end('length')), /unchanged: the answer was cut off: [^;]*$/],
  ['stopped by a filter', streamed(delta('Half of'), end('content_filter')), /did not complete the summary$/],
  ['a lost connection', cut(delta('Half of')), /unchanged: .*$/],
  [
    'a tool call',
    streamed(
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }),
      end('tool_calls'),
    ),
    /unchanged: the summary is empty$/,
  ],
]

test.concurrent.each(failures)('%s: nothing changes, and the reason is one line', async (_what, answer, shown) => {
  await using chat = await openChat([long, answer, long], { columns: wide, argv: ['--retries', '0'] })
  await chat.enter('about boats?')
  const before = linesIn(chat.home)
  await chat.enter('/compact')
  const below = chat.linesBelow('› /compact').filter((line) => line.startsWith('syn:') || line.startsWith('hint:'))
  expect(below).toEqual([expect.stringMatching(shown)])
  expect(linesIn(chat.home)).toEqual(before)
  await chat.enter('go on')
  expect(lastSent(chat)).toHaveLength(3)
})

test('Esc: nothing changes', async () => {
  const paced = chatFamily.paced()
  await using chat = await openChat([long, paced.answer, long])
  await chat.enter('about boats?')
  const before = linesIn(chat.home)
  chat.screen.type('/compact\r')
  await paced.send('They talked ')
  await chat.screen.until((lines) => lastTextLine(lines) === 'They talked')
  // A chat that is killed now leaves these lines.
  expect(linesIn(chat.home)).toEqual(before)
  await chat.type('\u001b', '›')
  expect(chat.textBelow('› /compact')).toBe('They talked stopped; the conversation is unchanged')
  expect(linesIn(chat.home)).toEqual(before)
  await chat.enter('go on')
  expect(lastSent(chat)).toHaveLength(3)
})

test('a service that reports no tokens, or one: the length of the texts decides', async () => {
  const text = 'They talked about boats. '.repeat(200)
  const answers = [streamed(delta(text), end()), answering(text, { usage: [1, 1] })]
  await using chat = await openChat([...answers, summary])
  for (const line of ['about boats?', 'more']) await chat.enter(line)
  await chat.enter('/compact')
  expect(chat.textBelow('› /compact')).toMatch(
    /compacted: about 2,5\d\d → \d\d tokens; \/undo brings the messages back$/,
  )
})

test('too short a conversation: nothing is asked', async () => {
  await using chat = await openChat([answering('Hello')])
  for (const line of ['/compact', 'hi', '/compact']) {
    await chat.enter(line)
    if (line === 'hi') continue
    expect(chat.textBelow('› /compact')).toMatch(/^syn: \/compact: .* too short to be summarized$/)
  }
  expect(chat.sent()).toHaveLength(1)
})

test('what is for other answers is not sent, and a schema does not judge the summary', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'schema.json'), '{"type":"object"}')
  const tools = '[{"type":"function","function":{"name":"f"}}]'
  const json = answering('{}', { usage: [41_000, 200] })
  const fields = ['--tools', tools, ...'--tool-choice auto --n 2 --stop and --seed 1'.split(' ')]
  await using chat = await openChat([json, summary], { folder, argv: ['--schema', '@schema.json', ...fields] })
  await chat.enter('about boats?')
  await chat.enter('/compact')
  expect(chat.textBelow('› /compact')).toContain('compacted: about')
  expect(
    Object.keys(chat.sent()[1] ?? {})
      .toSorted()
      .join(),
  ).toBe('messages,model,seed,stream,stream_options')
})

test('attachments are not sent again, also in a later process and after a second summary', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'notes.txt'), 'boats')
  writeFileSync(join(folder, 'photo.png'), realPng)
  const home = emptyFolder()
  const again = answering('Boats again.', { usage: [3000, 5] })
  const list = json(liveReply('models'))
  {
    await using chat = await openChat([list, long, summary, long, again], { folder, env: { HOME: home } })
    await chat.enter('/file notes.txt')
    await chat.enter('/image photo.png')
    await chat.enter('about boats?')
    await chat.enter('/compact')
    await chat.enter('more')
    expect(JSON.stringify(chat.sent()[2])).not.toMatch(/image_url|notes.txt/)
    await chat.enter('/compact')
  }
  await using later = await openChat([long], { env: { HOME: home }, argv: ['-c'] })
  const shown = later.screen.lines().join('\n')
  expect(shown).toContain('continuing: about boats?\n')
  expect(shown).toContain('summary of the messages before:\n  Boats again.')
  expect(shown).not.toContain('Summarize')
  await later.enter('go on')
  expect(lastSent(later)).toEqual(afterSummary('go on', 'Boats again.'))
  await undo(later, 'go on')
  await later.enter('/undo')
  await later.enter('go on')
  expect(lastSent(later)).toHaveLength(5)
  expect(lastSent(later).slice(1, 3)).toEqual(afterSummary('more').slice(1))
})

test('lists and transcripts count it as no message, and name it a summary', async () => {
  const home = emptyFolder()
  {
    await using chat = await openChat([long, summary, answering('Sure.')], {
      env: { HOME: home },
      argv: ['-s', 'Be brief.'],
    })
    await chat.enter('about boats?')
    await chat.enter('/compact')
    await chat.enter('go on')
  }
  const list = JSON.parse((await sessions(home, ['list', '--json'])).out) as { id: string }[]
  const { id: original = '' } = list[0] ?? {}
  expect(list).toEqual([expect.objectContaining({ title: 'about boats?', turns: 2 })])
  const shown = await sessions(home, ['show', original])
  expect(shown.out).toMatch(
    /^System\nBe brief\.\n\nAssistant syn:large:text \[summary\]\nThey talked about boats\.\n\nUser\ngo on/,
  )
  expect(shown.out).not.toContain('Summarize')
  expect(shown.err).toContain('1 answer is not shown')
  const all = (await sessions(home, ['show', '--all', original])).out
  expect(all).toContain('User [on another branch]\nabout boats?')
  expect(all).toContain('Assistant syn:large:text [summary]\nThey talked about boats.')
  const exported = await sessions(home, ['export', original])
  expect(exported.out).toContain('## Assistant (summary)\n\nThey talked about boats.')
  expect((await sessions(home, ['search', 'Summarize'])).out).toBe('')
})

test('a message without an answer comes back to the line', async () => {
  const busy = json({ error: { message: 'too many tokens' } }, 400)
  await using chat = await openChat([long, busy, summary, answering('Sure.')])
  await chat.enter('about boats?')
  await chat.enter('and ships?')
  await chat.type('/compact\r', '› and ships?')
  expect(chat.sent()[2]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  await chat.enter('')
  expect(lastSent(chat)).toEqual(afterSummary('and ships?'))
  // The message is the same, and counts once.
  const list = JSON.parse((await sessions(chat.home, ['list', '--json'])).out) as object[]
  expect(list).toMatchObject([{ title: 'about boats?', turns: 2 }])
})

test('/save writes what it stands for, too', async () => {
  const folder = emptyFolder()
  await using chat = await openChat([long, summary], { folder })
  await chat.enter('about boats?')
  await chat.enter('/compact')
  await chat.enter('/save talk.md')
  const saved = readFileSync(join(folder, 'talk.md'), 'utf8')
  expect(saved).toContain('about boats?')
  expect(saved).toBe((await sessions(chat.home, ['export', 'last', '--all', '--format', 'md'])).out)
})

test.each(dialects)('$name: a history that is too long itself, and an image that is refused', async (dialect) => {
  const list = [
    { id: 'hf:small', context_length: 2000, input_modalities: ['text', 'image'] },
    { id: 'hf:dear', context_length: 90_000, pricing: { prompt: '3', completion: '3' } },
    { id: 'syn:large:text', hugging_face_id: 'a/b', context_length: 90_000, pricing: { prompt: '1', completion: '1' } },
  ]
  let limit = Infinity
  let takesImages = true
  const answer: Answer = (asked, response) => {
    if (asked.method === 'GET') return json({ data: list })(asked, response)
    const refusal = asked.body.length > limit ? 'prompt is too long' : 'Could not process image'
    const isRefused = asked.body.length > limit || (!takesImages && asked.body.includes('base64'))
    if (isRefused) return json({ error: { message: refusal } }, 400)(asked, response)
    const isSummary = asked.body.includes('Summarize our conversation')
    return dialect.streamed(isSummary ? 'Boats.' : 'word '.repeat(200))(asked, response)
  }
  const folder = emptyFolder()
  writeFileSync(join(folder, 'photo.png'), realPng)
  await using chat = await openChat([answer], { dialect, folder, columns: wide, argv: ['-m', 'hf:small'] })
  await chat.enter('/image photo.png')
  for (const line of ['one', 'two', 'three']) await chat.enter(line)
  takesImages = false
  await chat.enter('four')
  expect(chat.textBelow('› four')).toContain('hint: /image "" takes earlier images out of what is sent')
  await chat.enter('/image ""')
  await chat.enter('four')
  expect(JSON.stringify(chat.sent().at(-1))).toContain('[image: image/png]')
  limit = 3000
  await chat.enter('five')
  expect(chat.textBelow('› five')).toContain('/new to shorten the conversation. Use /model syn:large:text')
  await chat.type('/compact\r', '› five')
  expect(chat.textBelow('› /compact')).toContain('too long for one request: summarizing it in parts')
  await chat.clear()
  await chat.enter('/model syn:large:text')
  await chat.enter('five')
  const { messages } = chat.sent().at(-1) ?? { messages: [] }
  expect(messages.map(({ content }) => content)).toEqual([request, 'Boats.', 'five'])
})

test('a chat that is not saved', async () => {
  await using chat = await openChat([long, summary, answering('Sure.')], { argv: ['--no-save'] })
  await chat.enter('about boats?')
  await chat.enter('/compact')
  await chat.enter('go on')
  expect(lastSent(chat)).toEqual(afterSummary('go on'))
  expect(conversationFiles(chat.home)).toEqual([])
})

test('the file has both, in a form that older versions read as a turn with its answer', async () => {
  await using chat = await openChat([long, summary])
  await chat.enter('about boats?')
  await chat.enter('/compact')
  const [, first, , turn] = linesIn(chat.home).filter(({ type }) => ['conversation', 'turn', 'answer'].includes(type))
  const answers = linesIn(chat.home).filter(({ type }) => type === 'answer')
  expect(turn).toMatchObject({ type: 'turn', summarizes: answers[0]?.id })
  expect(turn).not.toHaveProperty('parent')
  expect(first).toMatchObject({ type: 'turn', messages: [user('about boats?')] })
  expect(answers[1]?.parent).toBe(turn?.id)
  expect(entriesIn(chat.home, 'end')[1]).toMatchObject({
    choices: [{ index: 0, message: assistant('They talked about boats.') }],
    usage: { prompt_tokens: 41_300, completion_tokens: 9 },
  })
})
