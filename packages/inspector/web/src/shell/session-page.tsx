import { CloseButton, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type PageSource, useStore } from '../data/page-source.ts'
import type { Route, ViewProps } from '../route.ts'
import { AsWritten } from '../ui/markdown.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { CompareView } from '../views/compare/compare-view.tsx'
import { ContextView } from '../views/context/context-view.tsx'
import { DecisionsView } from '../views/decisions/decisions-view.tsx'
import { OverviewView } from '../views/overview/overview-view.tsx'
import { SummariesView } from '../views/summaries/summaries-view.tsx'
import { TimelineView } from '../views/timeline/timeline-view.tsx'
import { TranscriptView } from '../views/transcript/transcript-view.tsx'
import { ErrorBoundary, Notice } from './notice.tsx'
import classes from './shell.module.css'
import { TokenForm } from './token-form.tsx'

interface SessionPageProps {
  readonly source: PageSource
  readonly id: string
  readonly route: Route
  readonly go: ViewProps['go']
  readonly onToken: (token: string) => void
}

export function SessionPage({ source, id, route, go, onToken }: SessionPageProps) {
  const loaded = useStore(source.open(id))
  useEffect(() => void window.scrollTo(0, 0), [])
  if (loaded.status === 'loading') return <Loader size="sm" m="xl" aria-label="Loading" />
  if (loaded.status === 'locked') return <TokenForm onToken={onToken} />
  if (loaded.status === 'failed')
    return (
      <Notice title="This session can not be shown" message={loaded.message}>
        <a href="#/">Back to the beginning</a>
      </Notice>
    )
  const props: ViewProps = { view: loaded.value, route, go, source }
  return (
    <ErrorBoundary key={route.page}>
      <div className={classes.session}>
        <h1 className={classes.narrowTitle}>
          <PlainText text={loaded.value.title} />
        </h1>
        {source.mayShowSecrets && <SecretsNote />}
        <AsWritten value={route.as === 'written'}>
          <SessionView {...props} />
        </AsWritten>
      </div>
    </ErrorBoundary>
  )
}

function SessionView(props: ViewProps) {
  const { route, view } = props
  switch (route.page) {
    case 'overview':
      return view.answers ? <OverviewView {...props} /> : <TimelineView {...props} />
    case 'timeline':
      return <TimelineView {...props} />
    case 'context':
      return <ContextView {...props} />
    case 'transcript':
      return <TranscriptView {...props} />
    case 'summaries':
      return <SummariesView {...props} />
    case 'decisions':
      return <DecisionsView {...props} />
    case 'compare':
      return <CompareView {...props} />
  }
}

let isNoteClosed = false

function SecretsNote() {
  const [isClosed, setClosed] = useState(isNoteClosed)
  if (isClosed) return null
  return (
    <p className={classes.secrets} role="note" data-testid="secrets-note">
      <span>
        This file may show secrets: it has the keys and passwords that were said. <code>--redact</code> writes
        one without them.
      </span>
      <CloseButton
        size="xs"
        aria-label="Close this note"
        onClick={() => {
          isNoteClosed = true
          setClosed(true)
        }}
      />
    </p>
  )
}
