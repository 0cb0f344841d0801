import { sql, type Sql } from '../../postgres/sql.ts';

/** The value at a path of a json column; of equal keys the last one counts, hence one step at a time. */
export function jsonAt(column: Sql, path: readonly string[]): Sql {
  return path.reduce((value, name) => sql`${value} #> array[${sql.literal(name)}]`, column);
}

/** A scalar in json as text; null for lists, objects and null. */
export function jsonText(value: Sql): Sql {
  const text = sql`case json_typeof(json.value) when 'string' then ${jsonPlain} when 'boolean' then ${jsonPlain} when 'number' then ${numberOf(jsonPlain)}::text end`;
  return sql`(${ofValue(text, value)} collate "C")`;
}

export function jsonBool(value: Sql): Sql {
  return ofValue(sql`case json_typeof(json.value) when 'boolean' then ${jsonPlain}::boolean end`, value);
}

/** A number in json as a double precision; null where it is none, or 1e300 and more; 0 where it is nearer to 0 than 1e-300. */
export function jsonNumber(value: Sql): Sql {
  return ofValue(sql`case json_typeof(json.value) when 'number' then ${numberOf(jsonPlain)} end`, value);
}

const jsonPlain = sql`(json.value #>> '{}')`;

/** The expression over `json.value`, which is looked up once. */
function ofValue(expression: Sql, value: Sql): Sql {
  return sql`(select ${expression} from (select ${value} as value) json)`;
}

/**
 * Postgres fails on numbers that a double cannot hold, and a json text may bring any: so the decimal magnitude (the place of
 * the first digit that is not 0) is counted before the cast.
 */
function numberOf(text: Sql): Sql {
  return sql`(
      select case
          when digits.whole = '0' and ltrim(digits.fraction, '0') = '' then digits.number::double precision
          when digits.magnitude > 300 then null
          when digits.magnitude < -299 then case when digits.number like '-%' then '-0' else '0' end::double precision
          when abs(digits.number::double precision) >= 1e300 then null
          else digits.number::double precision
        end
      from (
        select parts.number, parts.whole, parts.fraction,
          case when parts.whole <> '0' then length(parts.whole) else length(ltrim(parts.fraction, '0')) - length(parts.fraction) end
          + case
              when length(ltrim(parts.exponent, '+-0')) > 8 then case when parts.exponent like '-%' then -1000000000 else 1000000000 end
              else coalesce(nullif(parts.exponent, ''), '0')::int
            end as magnitude
        from (
          select given.number,
            ltrim(split_part(split_part(given.number, 'e', 1), '.', 1), '-') as whole,
            split_part(split_part(given.number, 'e', 1), '.', 2) as fraction,
            split_part(given.number, 'e', 2) as exponent
          from (select lower(${text}) as number) given
        ) parts
      ) digits
    )`;
}

/** Whether there is a value other than null and the empty text. */
export function jsonPresence(value: Sql): { readonly isThere: Sql; readonly isMissing: Sql } {
  return { isThere: sql`coalesce(${plain(value)}, '') <> ''`, isMissing: sql`coalesce(${plain(value)}, '') = ''` };
}

export function jsonLength(value: Sql): Sql {
  return sql`(case json_typeof(${value}) when 'array' then json_array_length(${value})::double precision end)`;
}

/** The elements of a list in json, as a set of rows; none where it is no list. */
export function jsonElements(value: Sql): Sql {
  return sql`json_array_elements(case json_typeof(${value}) when 'array' then ${value} else '[]'::json end)`;
}

function plain(value: Sql): Sql {
  return sql`(${value} #>> '{}')`;
}
