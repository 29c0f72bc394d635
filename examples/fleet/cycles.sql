-- What each release cycle means on a day: eolgate catalogue export --format cycles -o cycles.ndjson
-- The views of tables.sql come first. A new file changes the answers without a new run.

-- A row for each period of each release cycle, with its last day.
CREATE OR REPLACE VIEW cycles AS
SELECT * REPLACE (coalesce(valid_from, DATE '0001-01-01') AS valid_from, coalesce(valid_until, DATE '9999-12-31') AS valid_until)
FROM read_ndjson('cycles.ndjson', columns = {
  product: 'VARCHAR', cycle: 'VARCHAR', valid_from: 'DATE', valid_until: 'DATE', outcome: 'VARCHAR', condition: 'VARCHAR',
  support_end_date: 'DATE', stated_on: 'DATE', source_url: 'VARCHAR', paid_support: 'BOOLEAN', paid_support_until: 'DATE'});

-- The findings of the last run as they are on a day: FROM findings_on(DATE '2027-01-31'). A row that something else than its
-- release cycle decided, such as a waiver or the package of a distribution, keeps its outcome; is_joined is false.
CREATE OR REPLACE MACRO findings_on(on_day) AS TABLE
SELECT f.* REPLACE (coalesce(later.outcome, f.outcome) AS outcome, coalesce(later.condition, f.condition) AS condition),
  later.product IS NOT NULL AS is_joined
FROM findings f JOIN last_day USING (day)
LEFT JOIN cycles own ON own.product = coalesce(f.maintained_by.product, f.product)
  AND own.cycle = coalesce(f.maintained_by.cycle, f.cycle) AND f.day BETWEEN own.valid_from AND own.valid_until
  AND own.outcome = f.outcome AND own.condition = f.condition
LEFT JOIN cycles later ON later.product = own.product AND later.cycle = own.cycle
  AND on_day BETWEEN later.valid_from AND later.valid_until;
