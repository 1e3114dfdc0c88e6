import { expect, test } from 'vitest'
import { Rate, type RunState, stateJson, stateText } from '../../src/batch/progress.ts'

const state: RunState = { done: 412, total: 10_000, failed: 6, inFlight: 8, waiting: undefined }

/** @param rows In a second. */
function rateOf(rows: number): Rate {
  const rate = new Rate()
  rate.add(0, 0)
  rate.add(60_000, rows * 60)
  return rate
}

test.each<[text: string, state: Partial<RunState>, rowsPerSecond: number]>([
  ['412/10,000 · 6 failed · 8 in flight · 3.1 rows/s · 52 min left', {}, 3.1],
  ['412/10,000 · 6 failed · 8 in flight · 1.2 rows/min · 133 h left', {}, 0.02],
  ['1 row · 1 in flight · 3.1 rows/s', { done: 1, failed: 0, total: undefined, inFlight: 1 }, 3.1],
  [
    '412/10,000 · 8 in flight · $0.12 of about $0.85 in this run · 7 of 9 requests left',
    {
      failed: 0,
      quotaLeft: '7 of 9 requests left',
      cost: { spent: 0.12, total: 0.85, text: '$0.12 of about $0.85 in this run' },
    },
    0,
  ],
  [
    '412/10,000 · 6 failed · quota used up, renews in 43 s',
    { inFlight: 0, waiting: 'quota used up, renews in 43 s' },
    3.1,
  ],
])('%s', (text, changes, rowsPerSecond) => {
  expect(stateText({ ...state, ...changes }, rateOf(rowsPerSecond))).toBe(text)
})

test('the rate is that of the last minute', () => {
  const rate = new Rate()
  for (let second = 0; second <= 120; second++)
    rate.add(second * 1000, second <= 60 ? second * 10 : 600 + (second - 60))
  expect(rate.perSecond).toBe(1)
})

test('as JSON', () => {
  expect(JSON.parse(stateJson(state, rateOf(3.125)))).toEqual({
    done: 412,
    total: 10_000,
    failed: 6,
    in_flight: 8,
    rows_per_second: 3.13,
    seconds_left: 3069,
    waiting: null,
    cost: null,
    expected_cost: null,
  })
  const cost = { spent: 0.12, total: 0.85, text: undefined }
  expect(JSON.parse(stateJson({ ...state, cost }, new Rate()))).toMatchObject({ cost: 0.12, expected_cost: 0.85 })
  expect(JSON.parse(stateJson({ ...state, total: undefined }, new Rate()))).toMatchObject({
    total: null,
    rows_per_second: null,
    seconds_left: null,
  })
})
