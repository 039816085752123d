import { memo, useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { sessionFigures } from '../../data/session-figures.ts'
import { formatShare, formatShort, formatUsd } from '../../format.ts'
import { formatAmount, formatCount } from '../../ui/format-count.ts'
import { Figure } from './figure.tsx'
import classes from './timeline.module.css'

/** The whole session in a few numbers, and its bill. */
export const Figures = memo(function Figures({ view }: { readonly view: SessionView }) {
  const { sent, without, largest, compacted } = useMemo(() => sessionFigures(view), [view])
  const { bill } = view
  return (
    <dl className={classes.figures}>
      <Figure name="sent" label="Tokens sent" value={sent} text={formatShort(sent)}>
        {formatAmount(view.requests.length, 'request')}
      </Figure>
      <Figure name="without" label="Without the engine" value={without} text={formatShort(without)}>
        {sent > 0 ? `${(without / sent).toFixed(1)} times as many` : ''}
      </Figure>
      <Figure name="largest" label="Largest prompt" value={largest} text={formatCount(largest)}>
        {formatShare(largest / Math.max(view.window, 1))} of {formatShort(view.window)}
      </Figure>
      <Figure name="compactions" label="Compactions" value={compacted} text={formatCount(compacted)}>
        from {formatCount(view.threshold)} tokens
      </Figure>
      {bill && (
        <>
          <Figure name="bill-sticky" label="Bill" value={bill.sticky} text={formatUsd(bill.sticky)}>
            with caching, {bill.model}
          </Figure>
          <Figure
            name="bill-uncached"
            label="Without caching"
            value={bill.uncached}
            text={formatUsd(bill.uncached)}
          >
            prices of {bill.asOf}
          </Figure>
          <Figure name="bill-bound" label="Lower bound" value={bill.bound} text={formatUsd(bill.bound)}>
            no cache does better
          </Figure>
          <Figure
            name="bill-share"
            label="Read from cache"
            value={bill.cacheReadShare}
            text={formatShare(bill.cacheReadShare)}
          >
            of all tokens
          </Figure>
          {bill.without !== null && (
            <Figure
              name="bill-without"
              label="Bill without engine"
              value={bill.without}
              text={formatUsd(bill.without)}
            >
              with the same caching
            </Figure>
          )}
        </>
      )}
    </dl>
  )
})
