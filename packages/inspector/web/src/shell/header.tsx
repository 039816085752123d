import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { SessionView } from '../../../src/view/session-view.ts'
import type { Loaded, PageSource } from '../data/page-source.ts'
import { stillLoading } from '../data/still-loading.ts'
import { useStore } from '../data/store.ts'
import { PlainText } from '../ui/plain-text.tsx'
import type { Route } from '../view-props.ts'
import { ConnectionBadge } from './connection-badge.tsx'
import { EngineSwitch } from './engine-switch.tsx'
import { PageTabs } from './page-tabs.tsx'
import { SchemeToggle } from './scheme-toggle.tsx'
import classes from './shell.module.css'

interface HeaderProps {
  readonly source: PageSource
  readonly route: Route
  readonly go: (to: Route) => void
  readonly onHelp: () => void
}

/** Which session this is, who manages and answers it, and the way to its pages. */
export function Header({ source, route, go, onHelp }: HeaderProps) {
  const { session } = route
  const opened = useStore<Loaded<SessionView>>(session === undefined ? stillLoading : source.open(session))
  const view = opened.status === 'ready' ? opened.value : undefined
  useDocumentTitle(view ? `${view.title} · Palimpsest` : 'Palimpsest')
  const hasList = source.engines.length === 0
  return (
    <>
      <div className={classes.bar}>
        <UnstyledButton
          className={classes.brand}
          onClick={() => go({ page: 'timeline' })}
          aria-label={hasList ? 'Palimpsest: all sessions' : 'Palimpsest: back to the beginning'}
        >
          Palimpsest
        </UnstyledButton>
        {view && <SessionFacts view={view} source={source} route={route} go={go} />}
        <span className={classes.space} />
        {source.isLive && (
          <ConnectionBadge
            store={session === undefined ? source.sessions : source.open(session)}
            goesOn={view?.isLive !== false}
          />
        )}
        <SchemeToggle />
        <Tooltip label="Help (?)">
          <ActionIcon variant="subtle" color="gray" onClick={onHelp} aria-label="Help: words and keys">
            ?
          </ActionIcon>
        </Tooltip>
      </div>
      {session !== undefined && <PageTabs route={route} go={go} />}
    </>
  )
}

interface SessionFactsProps extends Omit<HeaderProps, 'onHelp'> {
  readonly view: SessionView
}

function SessionFacts({ view, source, route, go }: SessionFactsProps) {
  return (
    <>
      <h1 className={classes.title} title={view.title}>
        <PlainText text={view.title} />
      </h1>
      {source.engines.length > 1 ? (
        <EngineSwitch engines={source.engines} current={view.id} route={route} go={go} />
      ) : (
        <span className={classes.fact} data-testid="engine">
          <PlainText text={view.engine} />
        </span>
      )}
      {view.model !== null && (
        <span className={classes.fact}>
          <PlainText text={view.model} />
        </span>
      )}
    </>
  )
}
