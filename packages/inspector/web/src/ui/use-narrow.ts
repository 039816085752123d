import { useMediaQuery } from '@mantine/hooks'

/** Whether the page is at most this wide. */
export const useNarrow = (width: string): boolean =>
  useMediaQuery(`(max-width: ${width})`, undefined, { getInitialValueInEffect: false }) ?? false
