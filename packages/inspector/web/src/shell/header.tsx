import {
  ActionIcon,
  Badge,
  NativeSelect,
  Tabs,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { SessionView } from '../../../src/view/session-view.ts'
import { type Loaded, type PageSource, type Store, stillLoading, useStore } from '../data/page-source.ts'
import { PAGES, type PageName, type Route } from '../route.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { visibleText } from '../ui/text-pieces.ts'
import { engineMeaning } from '../views/engine-meaning.ts'
import classes from './shell.module.css'

const COLORS = { Live: 'teal', Ended: 'gray', Gone: 'gray', Reconnecting: 'orange' }

interface ConnectionBadgeProps {
  readonly store: Store<Loaded<unknown>>
  readonly goesOn: boolean
}

function ConnectionBadge({ store, goesOn }: ConnectionBadgeProps) {
  const shown = useStore(store)
  if (shown.status === 'locked' || shown.status === 'loading') return null
  const word = wordFor(shown, goesOn)
  return (
    <Badge variant="dot" color={COLORS[word]} size="sm" role="status" data-testid="connection">
      {word}
    </Badge>
  )
}

function wordFor(shown: Loaded<unknown>, goesOn: boolean): keyof typeof COLORS {
  if (shown.status !== 'ready') return 'Reconnecting'
  if (shown.connection === 'gone') return 'Gone'
  if (!goesOn) return 'Ended'
  return shown.connection === 'lost' ? 'Reconnecting' : 'Live'
}

interface HeaderProps {
  readonly source: PageSource
  readonly route: Route
  readonly go: (to: Route) => void
  readonly goPage: (page: PageName) => void
  readonly onHelp: () => void
}

export function Header({ source, route, go, goPage, onHelp }: HeaderProps) {
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
        <ActionIcon variant="subtle" color="gray" onClick={onHelp} aria-label="Help: words and keys">
          ?
        </ActionIcon>
      </div>
      {session !== undefined && (
        <PageTabs current={route.page} hasOverview={view?.answers !== undefined} goPage={goPage} />
      )}
    </>
  )
}

interface SessionFactsProps extends Pick<HeaderProps, 'source' | 'route' | 'go'> {
  readonly view: SessionView
}

function SessionFacts({ view, source, route: { page, request }, go }: SessionFactsProps) {
  return (
    <>
      <h1 className={classes.title} title={view.title}>
        <PlainText text={view.title} />
      </h1>
      {source.engines.length > 1 ? (
        <NativeSelect
          size="xs"
          className={classes.engineSelect}
          aria-label="Engine"
          value={view.id}
          data={source.engines.map(({ id, engine }) => ({ value: id, label: visibleText(engine) }))}
          onChange={({ currentTarget }) =>
            go({ session: currentTarget.value, page, ...(request !== undefined && { request }) })
          }
        />
      ) : (
        <span className={classes.fact} data-testid="engine" title={engineMeaning(view.engine)}>
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

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      onClick={() => setColorScheme(other)}
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
    >
      ◐
    </ActionIcon>
  )
}

interface PageTabsProps extends Pick<HeaderProps, 'goPage'> {
  readonly current: PageName
  readonly hasOverview: boolean
}

function PageTabs({ current, hasOverview, goPage }: PageTabsProps) {
  const pages = hasOverview ? (['overview', ...PAGES] as const) : PAGES
  return (
    <Tabs
      value={current}
      onChange={(value) => {
        const page = pages.find((name) => name === value)
        if (page) goPage(page)
      }}
      classNames={{ root: classes.tabs, list: classes.tabList, tab: classes.tab }}
      activateTabWithKeyboard={false}
    >
      <Tabs.List aria-label="Pages of this session">
        {pages.map((page) => (
          <Tabs.Tab
            key={page}
            value={page}
            aria-keyshortcuts={String(PAGES.indexOf(page) + 1)}
            aria-controls="main"
          >
            {page}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
