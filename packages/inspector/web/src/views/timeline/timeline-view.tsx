import { useCallback, useDeferredValue, useMemo } from 'react'
import { KINDS, largestPrompt, limitsOf } from '../../data/session-figures.ts'
import { isTimed } from '../../data/transcript-rows.ts'
import type { ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { tokenKinds } from '../../ui/colors.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { TokenChart } from '../../ui/token-chart.tsx'
import { engineMeaning } from '../engine-meaning.ts'
import { KindTotals, RequestPicker } from '../requests.tsx'
import { Figures } from './figures.tsx'
import { Numbers } from './numbers.tsx'
import classes from './timeline.module.css'

/** A history above this many times the largest prompt is not drawn, because the prompts would become invisible. */
const FARTHEST = 6

export function TimelineView({ view, route, go }: ViewProps) {
  const shown = useDeferredValue(view)
  const without = useMemo(() => shown.requests.map((request) => request.without), [shown.requests])
  const farthest = FARTHEST * largestPrompt(shown.requests)
  const hasWithout = without.every((tokens) => tokens <= farthest)
  const chart = useMemo(
    () => ({
      columns: shown.requests.length,
      areas: KINDS.map((kind) => ({
        name: kind,
        color: tokenKinds[kind].fill,
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
  const meaning = engineMeaning(view.engine)
  const selected = Math.min(route.request ?? last, last)
  const request = view.requests[selected]
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
        </div>
        <p className="quiet">
          {meaning !== '' && (
            <>
              With <PlainText text={view.engine} />: {meaning}.{' '}
            </>
          )}
          Each column is one request to the model: its prompt, by what it is made of
          {view.compactions.length > 0 && '; ▼ where the engine compacted'}
          {hasWithout && '; dashed, the whole history without an engine'}. A click shows its context.
          {!isTimed(view) && ' The recording has no times, so no answer has a duration.'}
        </p>
        <TokenChart {...chart} height={320} selected={selected} onPick={open} />
        {request && <KindTotals request={request} window={view.window} />}
      </section>
      <Numbers view={view} selected={selected} go={go} />
    </div>
  )
}
