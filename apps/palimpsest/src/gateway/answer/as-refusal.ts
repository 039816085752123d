import { looseOf } from '@palimpsest/core/provider'
import { parseJson } from '../parse-json.ts'

/** Characters of what is no JSON. */
const MAX_TEXT = 10_000

/** What an upstream refused a request with, as the error of an SDK: with what tells kinds of errors apart. */
export function asRefusal(text: string, status: number): object {
  const body = looseOf(parseJson(text))
  const error = looseOf(body.error)
  const message = [error.message, body.message, body.error, body.detail].find(
    (value) => typeof value === 'string',
  )
  return { status, code: error.code ?? body.code, message: message ?? text.slice(0, MAX_TEXT) }
}
