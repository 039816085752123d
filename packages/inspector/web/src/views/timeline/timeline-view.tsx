import { Switch } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useDeferredValue, useMemo, useState } from 'react'
import type { SessionView, ViewRequest } from '../../../../src/view/session-view.ts'
import { Chart } from '../../charts/chart.tsx'
import { useChartInk } from '../../charts/use-chart-ink.ts'
import { cumulativeUsd, KINDS, promptTokens } from '../../data/session-figures.ts'
import { formatCount, formatShort, formatUsd } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import {
  CACHE_PARTS,
  cacheColors,
  cacheLabels,
  cssColor,
  kindFills,
  tokenKindLabels,
  tokenKindMeanings,
} from '../../ui/colors.ts'
import { RequestSlider } from '../requests.tsx'
import { Figures } from './figures.tsx'
import { Numbers } from './numbers.tsx'
import classes from './timeline.module.css'
import { largestWithout, timelineOption } from './timeline-option.ts'

/** Times the largest prompt. */
const FARTHEST = 6

const HEIGHT = { wide: 460, narrow: 360 }

const largestPrompt = (requests: readonly ViewRequest[]) =>
  requests.reduce((most, request) => Math.max(most, promptTokens(request)), 0)

export function TimelineView({ view, route, go }: ViewProps) {
  const ink = useChartInk()
  const { ref, width } = useElementSize()
  const height = width > 0 && width < 640 ? HEIGHT.narrow : HEIGHT.wide
  const without = largestWithout(view.requests)
  // A history that is much larger would leave nothing to be seen of the prompts.
  const fits = useMemo(() => without <= FARTHEST * largestPrompt(view.requests), [without, view.requests])
  const [wantsWithout, setWantsWithout] = useState<boolean>()
  const hasWithout = wantsWithout ?? fits
  const shown = useDeferredValue(view)
  const option = useMemo(
    () => (width > 0 ? timelineOption({ view: shown, ink, hasWithout, height, width }) : undefined),
    [shown, ink, hasWithout, height, width],
  )
  const hasBill = useMemo(() => view.requests.some(({ cache }) => cache !== null), [view.requests])
  const last = view.requests.length - 1
  if (last < 0)
    return (
      <Notice
        title="No request yet"
        message={
          view.messages.length > 0
            ? 'Its requests from before the program was started are not kept. What was said stands in the transcript.'
            : 'The timeline begins with the first request to the model.'
        }
      />
    )
  const selected = Math.min(route.request ?? last, last)
  return (
    <div className={classes.page} ref={ref}>
      <Figures view={view} />
      <section className={`panel ${classes.chart}`} aria-label="Tokens per request">
        <div className={classes.panelHead}>
          <h2 className={classes.heading}>Tokens per request</h2>
          <Switch
            size="xs"
            label={`Without the engine, up to ${formatShort(without)} tokens`}
            checked={hasWithout}
            onChange={(event) => setWantsWithout(event.currentTarget.checked)}
          />
        </div>
        <p className={classes.lead}>
          Each column is one request to the model: its prompt, by what it is made of
          {view.compactions.length > 0 && '; ▼ where the engine compacted'}
          {hasWithout && '; dashed, the whole history without an engine'}.
          {hasBill && ' Below: what a cache read of each prompt, and the bill.'}
        </p>
        <RequestReadout view={view} index={selected} />
        <RequestSlider
          view={view}
          request={selected}
          onChange={(request) => go({ page: 'timeline', request })}
          onOpen={() => go({ page: 'context', request: selected })}
        >
          {option ? (
            <Chart
              option={option}
              height={height}
              selected={selected}
              onPick={(request) => go({ page: 'context', request })}
            />
          ) : (
            <div style={{ height }} />
          )}
        </RequestSlider>
      </section>
      <Numbers view={view} selected={selected} go={go} />
    </div>
  )
}

function RequestReadout({ view, index }: { readonly view: SessionView; readonly index: number }) {
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
