/** Marks what `defineContextEngine` returned, across every installed copy of this package. */
export const engineBrand = Symbol.for('palimpsest.context-engine')

/** Marks an engine that `fillEngine` of any copy made whole. What copies its members, or inherits them, does not have it itself. */
export const wholeEngineBrand = Symbol.for('palimpsest.whole-context-engine')
