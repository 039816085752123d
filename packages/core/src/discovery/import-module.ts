export function importModule(url: string): Promise<unknown> {
  return import(url)
}
