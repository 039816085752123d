import { useMemo } from 'react'
import { KINDS, largestPrompt, limitsOf, saidIn } from '../../data/session-figures.ts'
import { formatAmount, formatCount } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { tokenKinds } from '../../ui/colors.ts'
import { TokenChart } from '../../ui/token-chart.tsx'
import { engineMeaning } from '../engine-meaning.ts'
import { figuresOf } from '../figures.ts'
import { FigureList } from '../timeline/figures.tsx'
import { Answers } from './answers.tsx'
import { Compactions } from './compactions.tsx'
import classes from './overview.module.css'

export function OverviewView({ view, go }: ViewProps) {
  const { requests, answers } = view
  const bill = useMemo(() => figuresOf(view).filter(({ name }) => name.startsWith('bill')), [view])
  return (
    <div className={classes.page}>
      <Lead view={view} />
      {bill.length > 0 && (
        <section aria-labelledby="overview-bill">
          <h2 id="overview-bill">What the session costs</h2>
          <FigureList figures={bill} />
        </section>
      )}
      {answers && <Answers answers={answers} engine={view.engine} go={go} />}
      <section className={`panel ${classes.section}`} aria-labelledby="overview-size">
        <h2 id="overview-size">How large each request is</h2>
        <p className="quiet">
          One column for each of {formatAmount(requests.length, 'request')}, in tokens. Dashed: the whole
          session, which is sent without an engine. ▼ Here the engine replaced old messages with a summary.
        </p>
        <TokenChart
          columns={requests.length}
          areas={KINDS.map((kind) => ({
            name: kind,
            color: tokenKinds[kind].fill,
            values: requests.map(({ tokens }) => tokens[kind]),
          }))}
          lines={[{ name: 'without', values: requests.map(({ without }) => without) }]}
          limits={limitsOf(view)}
          marks={view.compactions
            .map(({ request }) => request)
            .filter((request) => request < requests.length)}
          height={200}
          selected={requests.length - 1}
          onPick={(request) => go({ page: 'context', request })}
        />
      </section>
      <Compactions view={view} go={go} />
    </div>
  )
}

function Lead({ view: { requests, messages, window, engine } }: Pick<ViewProps, 'view'>) {
  const { said, tokens } = saidIn(messages)
  const meaning = engineMeaning(engine)
  const refused = requests.findIndex(({ without }) => without > window)
  return (
    <p className={classes.lead}>
      This session has {formatAmount(said, 'message')} and {formatAmount(tokens, 'token')}; the model’s window
      has {formatCount(window)}.{' '}
      {refused !== -1 && (
        <>
          Without an engine the provider refuses request {formatCount(refused + 1)} of{' '}
          {formatCount(requests.length)} and all after it, unless the client drops old messages.{' '}
        </>
      )}
      With {engine}, no request is larger than {formatAmount(largestPrompt(requests), 'token')}
      {meaning === '' ? '' : `: ${meaning}`}.
    </p>
  )
}
