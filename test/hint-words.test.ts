/** Hints are worded for those who read them. */

import { expect, test } from 'vitest'
import { advice, checkBaseUrl, type Hint, syn } from '../src/errors.ts'
import { hintWords, type HintAudience } from '../src/hint-words.ts'

const work: HintAudience = { profile: 'my work', baseUrl: 'http://localhost:1' }
const chat: HintAudience = { isChat: true }
const answered: HintAudience = { hasAnswered: () => true }

test.each<[hint: Hint, voice: HintAudience, words: string]>([
  ['use --yes', { ...work, ...chat, ...answered }, 'use --yes'],
  [['a', ['b', 'c']], {}, 'a; b; c'],
  [advice`a, or ${advice`b ${syn('login')}`}, ${'c'}`, {}, 'a, or b syn login, c'],
  [syn('login'), work, "syn login --profile 'my work' --base-url http://localhost:1"],
  [syn('login --base-url URL'), work, "syn login --base-url URL --profile 'my work'"],
  [syn('config set model NAME'), work, "syn config set model NAME --profile 'my work'"],
  [checkBaseUrl, { profile: 'work' }, 'check the base URL: syn config get base-url --profile work'],
  [checkBaseUrl, work, 'check the base URL: --base-url http://localhost:1'],
  [checkBaseUrl, answered, ''],
  [
    { code: 'count tokens' },
    { profile: 'work' },
    'use syn count-tokens --profile work to count the tokens of the prompt',
  ],
  [{ code: 'count tokens' }, chat, 'use /compact, /undo or /new to shorten the conversation'],
  [
    { code: 'large request', size: 12 * 2 ** 20, limit: 10 * 2 ** 20, isImages: true },
    {},
    'the request has 12 MiB, and the service may read only 10 MiB: send a smaller image',
  ],
  [
    { code: 'large request', size: 12 * 2 ** 20, limit: 10 * 2 ** 20, isImages: false },
    chat,
    'the request has 12 MiB, and the service may read only 10 MiB: use /compact to shorten the conversation',
  ],
  [{ code: 'list models' }, {}, 'Use syn models to list the available models'],
  [{ code: 'list models' }, chat, 'Press Tab after /model to list the available models'],
  [{ code: 'use model', model: 'm', hasFallback: true }, {}, 'Use -m m, or --fallback to switch automatically'],
  [{ code: 'use model', model: 'm', hasFallback: true }, chat, 'Use /model m'],
  [{ code: 'fields', names: ['max_tokens', 'messages'] }, chat, '/set max_tokens and a new message'],
  [{ code: 'other effort', effort: 'huge' }, {}, 'use -p reasoning_effort=huge to send it unchecked'],
  [{ code: 'other effort', effort: 'huge' }, chat, 'use /set reasoning_effort to choose another'],
  [{ code: 'set variable', name: 'a b' }, {}, "use --var 'a b=TEXT'"],
  [{ code: 'set variable', name: 'a' }, chat, 'use --a=TEXT'],
  [['a', { code: 'allow cut' }], {}, 'a; use --allow-cut to take it as it is'],
  [['a', { code: 'allow cut' }], chat, 'a'],
])('%j for %j', (hint, voice, words) => {
  expect(hintWords(hint, voice)).toBe(words)
})
