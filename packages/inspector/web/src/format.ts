import type { ViewCompaction } from '../../src/view/session-view.ts'

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const cents = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
})

export const formatShort = (value: number): string => short.format(value)

export const formatShare = (value: number): string => percent.format(value)

export const formatUsd = (value: number): string =>
  (value !== 0 && Math.abs(value) < 1 ? cents : dollars).format(value)

const counts = new Intl.NumberFormat('en-US')

/** The same in every locale, so that a page can be compared with its JSON. */
export function formatCount(count: number): string {
  return counts.format(count)
}

export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function formatTime(at: number): string {
  return times.format(at)
}

const clocks = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export const formatClock = (at: number): string => clocks.format(at)

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export const formatDay = (at: number): string => days.format(at)

export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  return `${formatCount(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

export function describeCompaction({
  trigger,
  outcome,
  reason,
  tokensBefore,
  tokensAfter,
  kept,
  limits,
}: ViewCompaction): string {
  const decided =
    limits === undefined
      ? ''
      : ` (from ${formatCount(limits.threshold)}, in a window of ${formatCount(limits.window)})`
  const numbers = `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens${decided}`
  const parts = outcome === 'compacted' ? [numbers, kept] : [outcome, reason, kept]
  return `Compaction (${trigger}): ${parts.filter((part) => part !== '').join('; ')}`
}
