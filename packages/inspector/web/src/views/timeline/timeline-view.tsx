import { Switch } from '@mantine/core'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { cumulativeUsd, KINDS, largestPrompt, limitsOf, promptTokens } from '../../data/session-figures.ts'
import { formatCount, formatShort, formatUsd } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import {
  CACHE_PARTS,
  cacheLabels,
  cssColor,
  kindFills,
  tokenKindLabels,
  tokenKindMeanings,
} from '../../ui/colors.ts'
import { TokenChart } from '../../ui/token-chart.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { RequestPicker } from '../requests.tsx'
import { Figures } from './figures.tsx'
import { Numbers } from './numbers.tsx'
import classes from './timeline.module.css'

/** A history that is larger than this many times the largest prompt would leave nothing to be seen of the prompts. */
const FARTHEST = 6

export function TimelineView({ view, route, go }: ViewProps) {
  const [wantsWithout, setWantsWithout] = useState<boolean>()
  const [pointed, setPointed] = useState<number>()
  const isNarrow = useNarrow('36em')
  const shown = useDeferredValue(view)
  const without = useMemo(() => shown.requests.map((request) => request.without), [shown.requests])
  const largestWithout = without.reduce((most, tokens) => Math.max(most, tokens), 0)
  const hasWithout = wantsWithout ?? largestWithout <= FARTHEST * largestPrompt(shown.requests)
  const chart = useMemo(
    () => ({
      columns: shown.requests.length,
      areas: KINDS.map((kind) => ({
        name: kind,
        color: kindFills[kind],
        values: shown.requests.map(({ tokens }) => tokens[kind]),
      })).filter(({ values }) => values.some(Boolean)),
      lines: hasWithout ? [{ name: 'without', values: without }] : [],
      limits: limitsOf(shown),
      marks: shown.compactions.map(({ request }) => request).filter((request) => request < without.length),
    }),
    [shown, hasWithout, without],
  )
  const open = useCallback((request: number) => go({ page: 'context', request }), [go])
  const last = view.requests.length - 1
  if (last < 0)
    return (
      <Notice
        title="No request yet"
        message={
          view.messages.length > 0
            ? 'Its requests from before the program was started are not kept. What was said is in the transcript.'
            : 'The timeline begins with the first request to the model.'
        }
      />
    )
  const selected = Math.min(route.request ?? last, last)
  return (
    <div className={classes.page}>
      <Figures view={view} />
      <section className={`panel ${classes.chart}`} aria-label="Tokens per request">
        <div className="tool-bar">
          <h2 className={classes.heading}>Tokens per request</h2>
          <RequestPicker
            request={selected}
            count={view.requests.length}
            onChange={(request) => go({ page: 'timeline', request })}
          />
          <Switch
            size="xs"
            label={`Without the engine, up to ${formatShort(largestWithout)} tokens`}
            checked={hasWithout}
            onChange={(event) => setWantsWithout(event.currentTarget.checked)}
          />
        </div>
        <p className="quiet">
          Each column is one request to the model: its prompt, by what it is made of
          {view.compactions.length > 0 && '; ▼ where the engine compacted'}
          {hasWithout && '; dashed, the whole history without an engine'}. A click shows its context.
        </p>
        <TokenChart
          {...chart}
          height={isNarrow ? 280 : 340}
          selected={selected}
          onPick={open}
          onPoint={setPointed}
        />
        <RequestReadout view={view} index={pointed ?? selected} />
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
  const usd = dollars[index] ?? null
  return (
    <dl className={classes.readout}>
      <Reading label="Request">{formatCount(index + 1)}</Reading>
      <Reading label="Prompt">{formatCount(promptTokens(request))}</Reading>
      {KINDS.map((kind) => (
        <Reading
          key={kind}
          label={tokenKindLabels[kind]}
          meaning={tokenKindMeanings[kind]}
          swatch={<i className="swatch" style={{ background: cssColor(kindFills[kind]) }} />}
        >
          {formatCount(request.tokens[kind])}
        </Reading>
      ))}
      <Reading label="No engine" swatch={<i className={`swatch ${classes.dash}`} />}>
        {formatCount(request.without)}
      </Reading>
      {cache &&
        CACHE_PARTS.map((part) => (
          <Reading key={part} label={cacheLabels[part]}>
            {formatCount(cache[part])}
          </Reading>
        ))}
      {cache && <Reading label="Bill so far">{usd === null ? '–' : formatUsd(usd)}</Reading>}
    </dl>
  )
}

interface ReadingProps {
  readonly label: string
  readonly meaning?: string
  readonly swatch?: ReactNode
  readonly children: string
}

const Reading = ({ label, meaning, swatch, children }: ReadingProps) => (
  <div title={meaning}>
    <dt>
      {swatch}
      {label}
    </dt>
    <dd>{children}</dd>
  </div>
)
