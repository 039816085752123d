export function delegateMembers(target: object): PropertyDescriptorMap {
  const source = target as Readonly<Record<string, unknown>>
  const descriptors: PropertyDescriptorMap = {}
  for (const key of memberNames(target)) {
    const member = source[key]
    if (member === undefined) continue
    descriptors[key] =
      typeof member === 'function'
        ? { value: member.bind(target), enumerable: true }
        : { get: () => source[key], enumerable: true }
  }
  return descriptors
}

export function memberNames(target: object): Set<string> {
  const names = new Set<string>()
  for (let level: object = target; level !== null && level !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name)
    level = Object.getPrototypeOf(level)
  }
  names.delete('constructor')
  return names
}
