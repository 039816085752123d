import type { SessionView } from '../../src/view/session-view.ts'
import type { PageSource } from './data/page-source.ts'

export type PageName =
  | 'overview'
  | 'timeline'
  | 'context'
  | 'transcript'
  | 'summaries'
  | 'decisions'
  | 'compare'

export interface Route {
  readonly session?: string
  readonly page: PageName
  readonly request?: number
  readonly message?: number
  readonly node?: string
  readonly decision?: string
  readonly other?: string
  readonly query?: string
  readonly tool?: string
  readonly only?: string
  readonly as?: string
}

export interface ViewProps {
  readonly view: SessionView
  readonly route: Route
  readonly go: (to: Omit<Route, 'session'>) => void
  readonly source: PageSource
}

export const PAGES: readonly PageName[] = [
  'timeline',
  'context',
  'transcript',
  'summaries',
  'decisions',
  'compare',
]

const NUMBERS = ['request', 'message'] as const
const TEXTS = ['node', 'decision', 'other', 'query', 'tool', 'only', 'as'] as const

/**
 * Parses an address such as `/ledger/context/request/12`, which counts requests and messages from 1. Parts that the
 * page does not know are left out.
 */
export function parseRoute(path: string): Route {
  const [session, name, ...rest] = path.split('/').filter(Boolean).map(decode)
  if (session === undefined) return { page: 'timeline' }
  const values = new Map<string, string | undefined>()
  for (let at = 0; at < rest.length; at += 2) values.set(rest[at] ?? '', rest[at + 1])
  return {
    session,
    page: ['overview' as const, ...PAGES].find((each) => each === name) ?? 'timeline',
    ...Object.fromEntries(
      NUMBERS.flatMap((key) => {
        const place = wholeNumber(values.get(key))
        return place === undefined || place === 0 ? [] : [[key, place - 1]]
      }),
    ),
    ...Object.fromEntries(TEXTS.flatMap((key) => (values.get(key) ? [[key, values.get(key)]] : []))),
  }
}

export function formatRoute(route: Route): string {
  if (route.session === undefined) return '/'
  const segments = [encode(route.session), route.page]
  for (const key of NUMBERS) {
    const value = route[key]
    if (value !== undefined) segments.push(key, String(value + 1))
  }
  for (const key of TEXTS) {
    const value = route[key]
    if (value) segments.push(key, encode(value))
  }
  return `/${segments.join('/')}`
}

type RouteChange = { readonly [Name in keyof Route]?: Route[Name] | undefined }

export function changeRoute(route: Route, change: RouteChange): Omit<Route, 'session'> {
  const { session: _, ...rest } = { ...route, ...change }
  for (const [name, value] of Object.entries(rest))
    if (value === undefined) Reflect.deleteProperty(rest, name)
  return rest as Omit<Route, 'session'>
}

/** Unlike `encodeURIComponent`, does not throw on a lone surrogate. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
