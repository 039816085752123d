import type { LcmSession, SeqRange } from '../store/lcm-session.ts'

/** Milliseconds since the epoch: from `since`, inclusive, to `before`, exclusive. */
export interface TimeBounds {
  readonly since?: number
  readonly before?: number
}

/**
 * The part of a run of messages that lies between two times, found with a few reads instead of a scan. Times grow
 * with the numbers of messages; those of replaced ones may lie behind what took their place. Where a clock was set
 * back in between, a message near the bounds may be left out.
 */
export async function withinTimes(
  session: LcmSession,
  range: SeqRange,
  { since, before }: TimeBounds,
): Promise<SeqRange> {
  const find = (time: number) => firstSince(session, range, time)
  const first = since === undefined ? range.first : await find(since)
  const last = before === undefined ? range.last : (await find(before)) - 1
  return { first, last }
}

/** The first message of the range that was stored at a time or later; one behind the range when there is none. */
async function firstSince(session: LcmSession, { first, last }: SeqRange, time: number): Promise<number> {
  let low = first
  let high = last + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [message] = await session.messages({ first: middle, last, limit: 1 })
    if (message === undefined || message.at >= time) high = middle
    else low = message.seq + 1
  }
  return low
}
