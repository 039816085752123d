import { StoreError } from '@palimpsest/lcm'
import type { DatabaseFormat } from '../database/database-format.ts'

/** The tables with a column `principal`. */
export const LCM_TABLES = ['lcm_session', 'lcm_message', 'lcm_summary', 'lcm_frontier'] as const

const SESSION_TABLE = `
  CREATE TABLE lcm_session (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    principal text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    created_at double precision NOT NULL,
    last_at double precision NOT NULL,
    next_seq integer NOT NULL,
    next_summary integer NOT NULL,
    version integer NOT NULL,
    replaced text NOT NULL,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_holder text,
    lease_until double precision,
    receipts uuid[] NOT NULL DEFAULT '{}',
    UNIQUE (principal, key)
  ) WITH (fillfactor = 50);`

/**
 * The steps from an empty schema to the newest version, see `DatabaseFormat`. Messages and summaries are found by
 * session and number. Names are packed (`packName`) and compared by their bytes. `folded`: the text in lower case. Times and tokens may have fractions.
 * `receipts`: see `receiptStatement`. A message is indexed three times: its words, the trigrams of its text, and each
 * two neighbouring Chinese, Japanese or Korean characters, because three are too many to ask for.
 */
const LCM_MIGRATIONS: readonly ((trigrams: string) => string)[] = [
  (trigrams) => `${SESSION_TABLE}

  CREATE TABLE lcm_message (
    session bigint NOT NULL,
    seq integer NOT NULL,
    principal text COLLATE "C" NOT NULL,
    role text NOT NULL,
    at double precision NOT NULL,
    tokens double precision NOT NULL,
    hash bytea NOT NULL,
    host_id text,
    forgotten_at double precision,
    forgotten_reason text,
    json text NOT NULL,
    folded text,
    words tsvector NOT NULL,
    grams text[],
    PRIMARY KEY (session, seq)
  );
  CREATE INDEX lcm_message_words ON lcm_message USING gin (words);
  CREATE INDEX lcm_message_trigrams ON lcm_message USING gin (folded ${trigrams}.gin_trgm_ops);
  CREATE INDEX lcm_message_grams ON lcm_message USING gin (grams) WHERE grams IS NOT NULL;

  CREATE TABLE lcm_summary (
    session bigint NOT NULL,
    number integer NOT NULL,
    principal text COLLATE "C" NOT NULL,
    depth integer NOT NULL,
    first integer NOT NULL,
    last integer NOT NULL,
    messages integer NOT NULL,
    children integer[] NOT NULL,
    tokens double precision NOT NULL,
    source_tokens double precision NOT NULL,
    writer text NOT NULL,
    at double precision NOT NULL,
    from_at double precision NOT NULL,
    to_at double precision NOT NULL,
    hash bytea NOT NULL,
    forgotten_at double precision,
    forgotten_reason text,
    text text NOT NULL,
    folded text,
    PRIMARY KEY (session, number)
  );
  CREATE INDEX lcm_summary_trigrams ON lcm_summary USING gin (folded ${trigrams}.gin_trgm_ops);

  CREATE TABLE lcm_frontier (
    session bigint NOT NULL,
    version integer NOT NULL,
    principal text COLLATE "C" NOT NULL,
    reason text NOT NULL,
    next_seq integer NOT NULL,
    at double precision NOT NULL,
    summaries integer[] NOT NULL,
    PRIMARY KEY (session, version)
  );

  CREATE FUNCTION lcm_clock() RETURNS double precision LANGUAGE sql VOLATILE AS
    'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000';
  COMMENT ON FUNCTION lcm_clock IS 'The time of leases, in milliseconds since the epoch: one clock for all workers';
  `,
]

/** The tables of LCM. */
export const LCM_FORMAT: DatabaseFormat = {
  name: 'lcm',
  migrations: LCM_MIGRATIONS,
  tables: LCM_TABLES,
  error: (code, message, options) => new StoreError(code, message, options),
}
