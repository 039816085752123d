import type { SessionView } from '../../../src/view/session-view.ts'

export class PageDataError extends Error {
  override readonly name = 'PageDataError'
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const FORMAT = 1

export function checkFormat(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new PageDataError('The data in this page is not a session of Palimpsest.')
  if (value.format !== FORMAT)
    throw new PageDataError(
      `The data has format ${JSON.stringify(value.format) ?? 'unknown'}, and this page reads format ${FORMAT}: it was written by another version of Palimpsest.`,
    )
  return value
}

export function checkView(value: unknown): SessionView {
  const view = checkFormat(value)
  if (!isSessionView(view)) throw new PageDataError('The data in this page is not a whole session.')
  return view
}

function isSessionView(view: object): view is SessionView {
  const lists = ['messages', 'requests', 'compactions', 'summaryNodes', 'warnings']
  const fields = new Map<string, unknown>(Object.entries(view))
  return (
    ['id', 'title', 'engine'].every((name) => typeof fields.get(name) === 'string') &&
    ['window', 'threshold'].every((name) => typeof fields.get(name) === 'number') &&
    lists.every((name) => Array.isArray(fields.get(name)))
  )
}
