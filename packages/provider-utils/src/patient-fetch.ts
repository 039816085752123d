import { withoutRedirects } from './without-redirects.ts'

/** The key under which Node, undici and proxy configurations keep the connections of `fetch`. */
const CONNECTIONS = Symbol.for('undici.globalDispatcher.1')

type Dispatcher = NonNullable<RequestInit['dispatcher']>
type Dispatch = Dispatcher['dispatch']

/**
 * `fetch` without redirects, with another limit than Node's 300 s for the start and each next piece of an answer.
 *
 * @param limit In milliseconds; 0 for none.
 */
export function fetchWithin(limit: number): typeof fetch {
  const limited: { readonly dispatch: Dispatch } = {
    dispatch(request, handler) {
      const connections: Dispatcher = Reflect.get(globalThis, CONNECTIONS)
      return connections.dispatch({ ...request, headersTimeout: limit, bodyTimeout: limit }, handler)
    },
  }
  return withoutRedirects((input, init) => fetch(input, { ...init, dispatcher: limited as Dispatcher }))
}

/** `fetch` without these limits: only the caller's limit ends a slow model's call. */
export const patientFetch: typeof fetch = fetchWithin(0)
