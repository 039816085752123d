import type { SessionView, ViewBill } from '../../../src/view/session-view.ts'
import { isInForce } from '../data/kept.ts'
import { largestPrompt, promptTokens } from '../data/session-figures.ts'
import { formatAmount, formatCount, formatShare, formatShort, formatUsd } from '../format.ts'

export interface Figure {
  readonly name: string
  readonly label: string
  readonly value: number
  readonly shown: string
  readonly note: string
}

/** Prices older than this many days may be outdated. */
const OLD_PRICES = 60

export function figuresOf(view: SessionView): readonly Figure[] {
  const { requests, compactions, threshold, window, bill, summaryNodes, decisions } = view
  const sent = requests.reduce((sum, request) => sum + promptTokens(request), 0)
  const compacted = compactions.filter(({ outcome }) => outcome === 'compacted').length
  const largest = largestPrompt(requests)
  return [
    ...(bill ? billFigures(bill) : []),
    figure('sent', 'Tokens sent', sent, formatShort, `in ${formatAmount(requests.length, 'request')}`),
    figure('compactions', 'Compactions', compacted, formatCount, `from ${formatCount(threshold)} tokens`),
    figure(
      'largest',
      'Largest prompt sent',
      largest,
      formatCount,
      `${formatShare(largest / Math.max(window, 1))} of ${formatShort(window)}`,
    ),
    figure('summaries', 'Summaries', summaryNodes.length, formatCount, ''),
    ...(decisions
      ? [
          figure(
            'decisions',
            'Decisions in force',
            decisions.filter(isInForce).length,
            formatCount,
            `rules included, of ${formatCount(decisions.length)} on record`,
          ),
        ]
      : []),
  ]
}

function figure(
  name: string,
  label: string,
  value: number,
  format: (value: number) => string,
  note: string,
): Figure {
  return { name, label, value, shown: format(value), note }
}

function billFigures(bill: ViewBill): readonly Figure[] {
  const { reported, model, without, tools, summaries, asOf, cacheReadShare } = bill
  const usd = (name: string, label: string, value: number, note: string) =>
    figure(name, label, value, formatUsd, note)
  const writer = summaries.isPaid ? 'as their model reported' : `as ${model} would charge`
  const asked = `for ${formatAmount(summaries.requests, 'request')}, ${writer}`
  return [
    ...(without === null
      ? []
      : [usd('bill-without', 'Without an engine', without, 'the whole history, with the same caching')]),
    usd('bill-with', 'With the engine', bill.with, pricesNote(model, asOf, Date.now())),
    usd('bill-summaries', 'Of which summaries', summaries.usd, summaries.requests === 0 ? '' : asked),
    ...(tools > 0
      ? [usd('bill-tools', "Of which the engine's tools", tools, 'their schemas, in each prompt')]
      : []),
    figure('bill-share', 'Read from cache', cacheReadShare, formatShare, 'of all tokens'),
    ...(reported
      ? [
          usd(
            'bill-reported',
            'As the provider counted',
            reported.prompts + reported.answers,
            `without summaries, ${formatUsd(reported.answers)} for answers`,
          ),
        ]
      : []),
  ]
}

export function pricesNote(model: string, asOf: string, now: number): string {
  const days = Math.floor((now - Date.parse(asOf)) / 86_400_000)
  const note = `at prices of ${model} of ${asOf}`
  return days >= OLD_PRICES ? `${note}: ${days} days old, they may have changed` : note
}
