import { AppShell, Kbd, Modal, Table } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useHashLocation } from 'wouter/use-hash-location'
import type { PageSource } from './data/page-source.ts'
import { KINDS } from './data/session-figures.ts'
import { formatRoute, PAGES, type PageName, parseRoute, type Route } from './route.ts'
import { Header } from './shell/header.tsx'
import { SessionPage } from './shell/session-page.tsx'
import classes from './shell/shell.module.css'
import { useKeys } from './shell/use-keys.ts'
import { tokenKinds } from './ui/colors.ts'
import { ENGINE_MEANINGS } from './views/engine-meaning.ts'
import { SessionsView } from './views/sessions/sessions-view.tsx'

interface PageProps {
  readonly source: PageSource
  readonly onToken: (token: string) => void
}

const PAGE_KEYS = ['0', ...PAGES.map((_, place) => String(place + 1)), '/', '?']

/** Height of the header in pixels, with two rows on a narrow page. As in shell.module.css. */
const HEADER = { base: 108, xs: 84 }

export function Page({ source, onToken }: PageProps) {
  const [asked, go] = useRoute()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [first] = source.engines
  // A file with one conversation has no list of sessions.
  const route: Route =
    asked.session === undefined && first
      ? { session: first.id, page: hasAnswers(source, first.id) ? 'overview' : 'timeline' }
      : asked
  const { session } = route
  const goWithin = useCallback(
    (to: Omit<Route, 'session'>) => go(session === undefined ? to : { ...to, session }),
    [go, session],
  )
  const left = useRef(new Map<string, Omit<Route, 'session'>>())
  useEffect(() => {
    const { session: of, ...place } = route
    if (of !== undefined) left.current.set(`${of} ${place.page}`, place)
  }, [route])
  const goPage = (page: PageName) => {
    const { message: _, ...before } = left.current.get(`${session} ${page}`) ?? { page }
    goWithin({ ...before, page, ...(route.request === undefined ? {} : { request: route.request }) })
  }
  useKeys(PAGE_KEYS, (key) => {
    if (isHelpOpen) return
    if (key === '?') return setHelpOpen(true)
    if (key === '/' && findSearch()) return focusSearch()
    if (session === undefined) return
    if (key === '0') return go({ page: 'timeline' })
    const page = key === '/' ? 'transcript' : PAGES[Number(key) - 1]
    if (page) goPage(page)
    if (key === '/') focusSearch()
  })

  return (
    <AppShell header={{ height: session === undefined ? 44 : HEADER }} padding={0}>
      <AppShell.Header>
        <Header source={source} route={route} go={go} goPage={goPage} onHelp={() => setHelpOpen(true)} />
      </AppShell.Header>
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: 'none' }}>
        {session === undefined ? (
          <SessionsView source={source} onToken={onToken} />
        ) : (
          <SessionPage
            key={session}
            source={source}
            id={session}
            route={route}
            go={goWithin}
            onToken={onToken}
          />
        )}
      </AppShell.Main>
      <Help isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </AppShell>
  )
}

function hasAnswers(source: PageSource, id: string): boolean {
  const loaded = source.open(id).get()
  return loaded.status === 'ready' && loaded.value.answers !== undefined
}

const findSearch = () => document.querySelector<HTMLInputElement>('main input[type="search"]')

const PATIENCE = 30

function focusSearch(frames = PATIENCE): void {
  const field = findSearch()
  if (field) field.focus()
  else if (frames > 0) requestAnimationFrame(() => focusSearch(frames - 1))
}

const SETTLE = 150

function useRoute(): readonly [Route, (to: Route) => void] {
  const [path, navigate] = useHashLocation()
  const [moved, setMoved] = useState<{ readonly from: string; readonly to: string }>()
  const current = moved?.from === path ? moved.to : path

  useEffect(() => {
    if (moved === undefined) return
    if (moved.from !== path) return setMoved(undefined)
    const { hash } = location
    const timer = setTimeout(() => {
      if (location.hash === hash) navigate(moved.to, { replace: true })
    }, SETTLE)
    return () => clearTimeout(timer)
  }, [moved, path, navigate])

  const route = useMemo(() => parseRoute(current), [current])
  const go = useCallback(
    (to: Route) => {
      const next = formatRoute(to)
      const here = parseRoute(path)
      if (here.session === to.session && here.page === to.page) return setMoved({ from: path, to: next })
      if (moved?.from === path) navigate(moved.to, { replace: true })
      setMoved(undefined)
      navigate(next)
      window.scrollTo(0, 0)
    },
    [path, moved, navigate],
  )
  return [route, go]
}

const KEYS: readonly (readonly [string, string])[] = [
  ['1 – 6', 'Timeline, context, transcript, summaries, decisions, compare'],
  ['0', 'Back to where the page began'],
  ['/', 'Search what is shown, or else the transcript'],
  ['← →', 'The request before, the request after'],
  ['?', 'This list'],
]

function Help({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Help" size="lg" centered>
      <h2 className={classes.helpTitle}>What a prompt is made of</h2>
      <Lines
        lines={KINDS.map((kind) => [
          <span key={kind}>
            <i className="swatch" style={{ background: tokenKinds[kind].fill }} />
            {tokenKinds[kind].label}
          </span>,
          tokenKinds[kind].meaning,
        ])}
      />
      <h2 className={classes.helpTitle}>Engines</h2>
      <Lines lines={Object.entries(ENGINE_MEANINGS)} />
      <h2 className={classes.helpTitle}>Keys</h2>
      <Lines lines={KEYS.map(([key, meaning]) => [<Kbd key={key}>{key}</Kbd>, meaning])} />
    </Modal>
  )
}

function Lines({ lines }: { readonly lines: readonly (readonly [ReactNode, string])[] }) {
  return (
    <Table verticalSpacing={5}>
      <Table.Tbody>
        {lines.map(([what, meaning]) => (
          <Table.Tr key={meaning}>
            <Table.Th scope="row" fw={500} style={{ whiteSpace: 'nowrap' }}>
              {what}
            </Table.Th>
            <Table.Td w="100%">{meaning}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
