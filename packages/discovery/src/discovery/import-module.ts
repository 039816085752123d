/** Imports a module by its URL. */
export function importModule(url: string): Promise<unknown> {
  return import(url)
}
