import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { CACHE_PARTS, cacheColors, cacheLabels, kindFills } from '../../charts/chart-colors.ts'
import { cumulativeUsd, KINDS, promptTokens } from '../../data/session-figures.ts'
import { formatCount, formatUsd } from '../../format.ts'
import { cssColor, tokenKindLabels, tokenKindMeanings } from '../../ui/kind-colors.ts'
import classes from './timeline.module.css'

export function RequestReadout({ view, index }: { readonly view: SessionView; readonly index: number }) {
  const dollars = useMemo(() => cumulativeUsd(view.requests), [view.requests])
  const request = view.requests[index]
  if (!request) return null
  const { cache } = request
  const usd = dollars[index]
  return (
    <dl className={classes.readout}>
      <div>
        <dt>Request</dt>
        <dd data-testid="selected-request">{formatCount(index + 1)}</dd>
      </div>
      <div>
        <dt>Prompt</dt>
        <dd>{formatCount(promptTokens(request))}</dd>
      </div>
      {KINDS.map((kind) => (
        <div key={kind} title={tokenKindMeanings[kind]}>
          <dt>
            <i style={{ background: cssColor(kindFills[kind]) }} />
            {tokenKindLabels[kind]}
          </dt>
          <dd>{formatCount(request.tokens[kind])}</dd>
        </div>
      ))}
      <div>
        <dt>
          <i className={classes.dash} />
          No engine
        </dt>
        <dd>{formatCount(request.without)}</dd>
      </div>
      {cache && (
        <>
          {CACHE_PARTS.map((part) => (
            <div key={part}>
              <dt>
                <i style={{ background: cssColor(cacheColors[part]) }} />
                {cacheLabels[part]}
              </dt>
              <dd>{formatCount(cache[part])}</dd>
            </div>
          ))}
          <div>
            <dt>
              <i className={classes.stroke} />
              Bill so far
            </dt>
            <dd>{usd === null || usd === undefined ? '–' : formatUsd(usd)}</dd>
          </div>
        </>
      )}
    </dl>
  )
}
