import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

interface Described {
  readonly paths: Record<
    string,
    Record<string, { readonly operationId: string; readonly responses: Record<string, unknown> }>
  >
}

/** A caller that holds every answer against the service's own description of it. */
export interface Caller {
  get(path: string, init?: RequestInit): Promise<Called>
  post(path: string, body: unknown, init?: RequestInit): Promise<Called>
  readonly description: Described
}

export interface Called {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
  readonly headers: Headers
}

/** Reads the description of a service, and calls it by that. */
export async function describeService(url: string, headers: Record<string, string> = {}): Promise<Caller> {
  const description = (await (await fetch(`${url}/openapi.json`, { headers })).json()) as Described
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(description, 'api')

  const call = async (path: string, init: RequestInit): Promise<Called> => {
    const response = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } })
    const text = await response.text()
    expect(response.headers.get('content-type'), `${path}: ${text}`).toMatch(/^application\/json/)
    const body = JSON.parse(text)
    const route = path.split('?', 1)[0] ?? ''
    const schema = schemaOf(description, route, (init.method ?? 'GET').toLowerCase(), response.status)
    const validate = ajv.getSchema(`api#${schema}`)
    expect(validate, `no description of ${init.method} ${path} ${response.status}: ${text}`).toBeDefined()
    expect(validate?.(body), `${path}: ${text} ${JSON.stringify(validate?.errors)}`).toBe(true)
    return { status: response.status, body, headers: response.headers }
  }

  return {
    description,
    get: (path, init = {}) => call(path, { ...init, method: 'GET' }),
    post: (path, body, init = {}) =>
      call(path, {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...init.headers },
      }),
  }
}

/** Where the description of an answer is, as a JSON pointer. Routes and methods that there are not fail as described for all. */
function schemaOf(description: Described, route: string, method: string, status: number): string {
  const known = description.paths[route]?.[method]?.responses[status] !== undefined
  if (!known) return status === 404 || status === 405 ? '/components/schemas/Error' : '/missing'
  const pointer = [route, method, 'responses', String(status), 'content', 'application/json', 'schema']
  return `/paths/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
}
