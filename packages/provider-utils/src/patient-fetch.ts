/** Under this name Node, the package undici and whoever configures a proxy keep the connections of `fetch`. */
const CONNECTIONS = Symbol.for('undici.globalDispatcher.1')

type Dispatcher = NonNullable<RequestInit['dispatcher']>
type Dispatch = Dispatcher['dispatch']

/**
 * `fetch` with another limit than the 300 s that it has in Node for the beginning and for each next piece of an answer.
 *
 * @param limit in milliseconds; 0 for none.
 */
export function fetchWithin(limit: number): typeof fetch {
  const limited: { readonly dispatch: Dispatch } = {
    dispatch(request, handler) {
      const connections: Dispatcher = Reflect.get(globalThis, CONNECTIONS)
      return connections.dispatch({ ...request, headersTimeout: limit, bodyTimeout: limit }, handler)
    },
  }
  return (input, init) => fetch(input, { ...init, dispatcher: limited as Dispatcher })
}

/** `fetch` without these limits: a slow model ends by the limit of its caller alone. */
export const patientFetch: typeof fetch = fetchWithin(0)
