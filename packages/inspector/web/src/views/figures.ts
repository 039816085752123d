import type { SessionView, ViewBill } from '../../../src/view/session-view.ts'
import { largestPrompt, promptTokens } from '../data/session-figures.ts'
import { formatAmount, formatCount, formatShare, formatShort, formatUsd } from '../format.ts'

/** A number that says something about a whole session. */
export interface Figure {
  readonly name: string
  readonly label: string
  readonly value: number
  readonly shown: string
  readonly note: string
}

/** The figures of a session, the most telling ones first. */
export function figuresOf(view: SessionView): readonly Figure[] {
  const { requests, compactions, threshold, window, bill, summaryNodes, decisions } = view
  const sent = requests.reduce((sum, request) => sum + promptTokens(request), 0)
  const without = requests.reduce((sum, request) => sum + request.without, 0)
  const compacted = compactions.filter(({ outcome }) => outcome === 'compacted').length
  const largest = largestPrompt(requests)
  return [
    figure('sent', 'Tokens sent', sent, formatShort, `in ${formatAmount(requests.length, 'request')}`),
    figure('without', 'Without the engine', without, formatShort, describeSaving(sent, without, compacted)),
    figure('compactions', 'Compactions', compacted, formatCount, `from ${formatCount(threshold)} tokens`),
    ...(bill ? billFigures(bill) : []),
    figure(
      'largest',
      'Largest prompt',
      largest,
      formatCount,
      `${formatShare(largest / Math.max(window, 1))} of ${formatShort(window)}`,
    ),
    figure('summaries', 'Summaries', summaryNodes.length, formatCount, ''),
    ...(decisions ? [figure('decisions', 'Decisions', decisions.length, formatCount, '')] : []),
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
  const { reported, sticky, model, without, uncached, asOf, cacheReadShare } = bill
  const usd = (name: string, label: string, value: number, note: string) =>
    figure(name, label, value, formatUsd, note)
  const prices = `at prices of ${model}`
  return [
    ...(reported
      ? [
          usd(
            'bill',
            'Bill',
            reported.prompts + reported.answers,
            `as the provider counted, ${formatUsd(reported.answers)} for answers`,
          ),
          usd('bill-sticky', 'Prompts, expected', sticky, prices),
        ]
      : [usd('bill-sticky', 'Bill', sticky, prices)]),
    ...(without === null
      ? []
      : [usd('bill-without', 'Bill without engine', without, 'with the same caching')]),
    usd('bill-uncached', 'Without caching', uncached, `prices of ${asOf}`),
    figure('bill-share', 'Read from cache', cacheReadShare, formatShare, 'of all tokens'),
  ]
}

function describeSaving(sent: number, without: number, compacted: number): string {
  if (without === 0 || sent === without) return ''
  if (sent < without) return `the engine saved ${formatShare((without - sent) / without)}`
  const more = `${formatShort(sent - without)} more with its tools and notes`
  return compacted === 0 ? `${more}; nothing was compacted yet` : more
}
