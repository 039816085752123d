import { useMemo } from 'react'
import { KINDS, largestPrompt, limitsOf, saidIn } from '../../data/session-figures.ts'
import { formatAmount, formatCount } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { tokenKinds } from '../../ui/colors.ts'
import { TokenChart } from '../../ui/token-chart.tsx'
import { figuresOf } from '../figures.ts'
import { FigureList } from '../timeline/figures.tsx'
import { Questions, Score } from './answers.tsx'
import { Compactions } from './compactions.tsx'
import { Kept } from './kept.tsx'
import classes from './overview.module.css'

export function OverviewView({ view, go }: ViewProps) {
  const { answers } = view
  const bill = useMemo(() => figuresOf(view).filter(({ name }) => name.startsWith('bill')), [view])
  return (
    <div className={classes.page}>
      <div className={classes.first}>
        {answers && <Score answers={answers} engine={view.engine} go={go} />}
        <Size view={view} go={go} />
      </div>
      <Kept view={view} go={go} />
      {bill.length > 0 && (
        <section aria-labelledby="overview-bill">
          <h2 id="overview-bill">What the session costs</h2>
          <FigureList figures={bill} />
        </section>
      )}
      {answers && <Questions answers={answers} go={go} />}
      <Compactions view={view} go={go} />
    </div>
  )
}

function Size({ view, go }: Pick<ViewProps, 'view' | 'go'>) {
  const { requests } = view
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="overview-size">
      <h2 id="overview-size">How the conversation stays inside the window</h2>
      <Lead view={view} />
      <TokenChart
        columns={requests.length}
        areas={KINDS.map((kind) => ({
          name: kind,
          color: tokenKinds[kind].fill,
          values: requests.map(({ tokens }) => tokens[kind]),
        }))}
        lines={[{ name: 'without', values: requests.map(({ without }) => without) }]}
        limits={limitsOf(view)}
        marks={view.compactions.map(({ request }) => request).filter((request) => request < requests.length)}
        height={215}
        selected={requests.length - 1}
        onPick={(request) => go({ page: 'context', request })}
      />
      <p className="quiet">
        Tokens of each request. Dashed: the whole session. ▼ The engine replaced old messages with a summary.
      </p>
    </section>
  )
}

function Lead({ view: { requests, messages, window } }: Pick<ViewProps, 'view'>) {
  const { said, tokens } = saidIn(messages)
  const refused = requests.findIndex(({ without }) => without > window)
  return (
    <p>
      {formatAmount(said, 'message')}, {formatAmount(tokens, 'token')}, in a window of {formatCount(window)}.{' '}
      {refused !== -1 && (
        <>
          Without an engine, the provider refuses request {formatCount(refused + 1)} of{' '}
          {formatCount(requests.length)} and all after it.{' '}
        </>
      )}
      With it, no prompt exceeds {formatAmount(largestPrompt(requests), 'token')}.
    </p>
  )
}
