/** Under this name Node, the package undici and whoever configures a proxy keep the connections of `fetch`. */
const CONNECTIONS = Symbol.for('undici.globalDispatcher.1')

type Dispatcher = NonNullable<RequestInit['dispatcher']>
type Dispatch = Dispatcher['dispatch']

/** The connections of `fetch`, with requests that wait for an answer as long as they are let. */
const patient: { readonly dispatch: Dispatch } = {
  dispatch(request, handler) {
    const connections: Dispatcher = Reflect.get(globalThis, CONNECTIONS)
    return connections.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler)
  },
}

/**
 * `fetch` without the limits of 300 s for the beginning and for each next piece of an answer that it has in Node: a
 * slow model ends by the limit of its caller alone.
 */
export const patientFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, dispatcher: patient as Dispatcher })
