import { Client } from 'pg'

/** Clients behind whose statements something is done, before their answers are given out. */
export function wrapClient(behind: (text: string, client: Client) => unknown): typeof Client {
  const wrap = (client: Client): Client =>
    new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...values: unknown[]) => {
          const result = Reflect.apply(value, target, values)
          if (name !== 'query' || !(result instanceof Promise)) return result
          return result.then(async (answer) => {
            await behind(textOf(values[0]), target)
            return answer
          })
        }
      },
    })
  return new Proxy(Client, { construct: (_, args) => wrap(new Client(...(args as []))) })
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}
