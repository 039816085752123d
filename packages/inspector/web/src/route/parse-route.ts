import type { PageName, Route } from '../view-props.ts'

export const PAGES: readonly PageName[] = [
  'timeline',
  'context',
  'transcript',
  'summaries',
  'decisions',
  'compare',
]

const NUMBERS = ['request', 'message'] as const
const TEXTS = ['node', 'decision', 'other', 'query'] as const

/** Reads an address such as `/ledger/context/request/12`: requests count from 1 there. What makes no sense is left out. */
export function parseRoute(path: string): Route {
  const [session, name, ...rest] = path.split('/').filter(Boolean).map(decode)
  if (session === undefined) return { page: 'timeline' }
  const values = new Map<string, string>()
  for (let at = 0; at + 1 < rest.length; at += 2) values.set(rest[at] ?? '', rest[at + 1] ?? '')
  const request = wholeNumber(values.get('request'))
  const message = wholeNumber(values.get('message'))
  return {
    session,
    page: PAGES.find((page) => page === name) ?? 'timeline',
    ...(request === undefined || request === 0 ? {} : { request: request - 1 }),
    ...(message === undefined ? {} : { message }),
    ...Object.fromEntries(TEXTS.flatMap((key) => (values.has(key) ? [[key, values.get(key)]] : []))),
  }
}

export function formatRoute(route: Route): string {
  if (route.session === undefined) return '/'
  const segments = [encode(route.session), route.page]
  for (const key of NUMBERS) {
    const value = route[key]
    if (value !== undefined) segments.push(key, String(key === 'request' ? value + 1 : value))
  }
  for (const key of TEXTS) {
    const value = route[key]
    if (value) segments.push(key, encode(value))
  }
  return `/${segments.join('/')}`
}

/** As `encodeURIComponent`, without throwing on half a character. */
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
