/** Formats times, and waits for them. Durations are in milliseconds, times in milliseconds since 1970. */

import { setTimeout as timeout } from 'node:timers/promises'

/** In milliseconds. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
const day = 24 * hour

/** `2026-08-19 22:18`, in the time zone of TZ or the system, and the same in every locale. */
export function localTime(time: number): string {
  const date = new Date(time)
  // A service may name any number.
  if (Number.isNaN(date.getTime())) return 'a distant time'
  const two = (part: number): string => String(part).padStart(2, '0')
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-')
  // Intl takes 50 µs, and a hostile list has thousands of times.
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** `in 2 h 13 min`, `now`, `45 s ago` */
export function relativeTime(time: number, now: number): string {
  const length = Math.abs(time - now)
  // Clocks differ by a few seconds.
  if (length < second || (time <= now && length < 5 * second)) return 'now'
  return time > now ? `in ${lengthText(length)}` : `${lengthText(length)} ago`
}

/** `22:18`, or with the date if that is not the day of `now`. */
export function clockTime(time: number, now: number): string {
  return localTime(time).replace(`${localTime(now).slice(0, 10)} `, '')
}

/** `clockTime` of what came at least ten minutes after `before`; else empty, as for an unknown time (NaN). */
export function timeAfterPause(time: number, before: number): string {
  return time - before >= 10 * minute ? clockTime(time, before) : ''
}

/** `2026-08-19 22:18 (in 2 h 13 min)` */
export function timeText(time: number, now: number): string {
  return `${localTime(time)} (${relativeTime(time, now)})`
}

/** `0.5 s`, `45 s`, `2 min 5 s`, `2 h 46 min`. Not rounded down, as it is waited for. */
export function durationText(length: number): string {
  if (length < 10 * second) return `${(length / second).toFixed(1)} s`
  if (length > 365 * day) return 'more than a year'
  const whole = Math.ceil(length / second) * second
  const seconds = Math.floor((whole % minute) / second)
  return whole > minute && whole < hour && seconds > 0 ? `${lengthText(whole)} ${seconds} s` : lengthText(whole)
}

/** At most two units: minutes do not matter in a week. */
function lengthText(length: number): string {
  const [days, hours] = [Math.floor(length / day), Math.floor((length % day) / hour)]
  const [minutes, seconds] = [Math.floor((length % hour) / minute), Math.floor((length % minute) / second)]
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`
  return minutes > 0 ? `${minutes} min` : `${seconds} s`
}

/** Timers stop while the machine sleeps. */
const longestPause = 60_000

/** The clocks of an `Io`, which imports this file. */
interface Clocks {
  elapsed(): number
  now(): number
  readonly signal: AbortSignal
}

/**
 * Waits this long by one of the two clocks: one stands still while the machine sleeps, the other may be set meanwhile.
 * @param onTick Called at the start and each second, with the rest in milliseconds.
 * @throws the signal's reason when it aborts.
 */
export async function pauseFor(
  length: number,
  io: Clocks,
  onTick?: (left: number) => void | Promise<void>,
): Promise<void> {
  const [end, endTime] = [io.elapsed() + length, io.now() + length]
  const left = (): number => Math.min(end - io.elapsed(), endTime - io.now())
  while (left() > 0) {
    await onTick?.(left())
    await pause(Math.min(left(), onTick ? second : longestPause), { signal: io.signal })
  }
}

/** Node fires a longer timer, such as one for `--timeout`, at once, and from version 24 on warns of a negative one. */
const inRange = (delay: number): number => Math.max(0, Math.min(delay, 2 ** 31 - 1))

/** Calls back after a delay, in milliseconds. */
export function startTimer(delay: number, callback: () => void): NodeJS.Timeout {
  return setTimeout(callback, inRange(delay))
}

/**
 * Waits for some milliseconds.
 * @param options With `ref: false`, the process may end meanwhile.
 * @throws the signal's reason when it aborts.
 */
export async function pause(
  duration: number,
  options: { signal?: AbortSignal | undefined; ref?: boolean } = {},
): Promise<void> {
  try {
    await timeout(inRange(duration), undefined, options)
  } catch {
    throw options.signal?.reason as Error
  }
}
