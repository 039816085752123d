import { EmptyState } from '@mantine/core'

/** Says why there is nothing to see. */
export function NothingHere({ title, why }: { readonly title: string; readonly why: string }) {
  return <EmptyState size="sm" py="xl" title={title} description={why} />
}
