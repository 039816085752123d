import { Client } from 'pg'

/** A client that writes down the texts of all statements that it sends. */
export function listeningClient(asked: string[]): typeof Client {
  const listening = (...args: ConstructorParameters<typeof Client>): Client => {
    const client = new Client(...args)
    return new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...values: unknown[]) => {
          if (name === 'query') asked.push(textOf(values[0]))
          return Reflect.apply(value, target, values)
        }
      },
    })
  }
  return new Proxy(Client, { construct: (_, args) => listening(...(args as [])) })
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}
