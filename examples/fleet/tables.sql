-- Views over the NDJSON of runs. Each file has the day of its run in its name: fleet-2026-11-29.ndjson, or parts of it.
-- DuckDB reads such files in pieces, so they may be larger than the memory.

CREATE OR REPLACE VIEW records AS
SELECT CAST(regexp_extract(filename, '(\d{4}-\d{2}-\d{2})[^/]*$', 1) AS DATE) AS day, *
FROM read_ndjson('fleet-*.ndjson', filename = true, columns = {
  record: 'VARCHAR', file: 'VARCHAR', subject: 'JSON', labels: 'MAP(VARCHAR, VARCHAR)', pointer: 'VARCHAR',
  name: 'VARCHAR', component: 'VARCHAR', version: 'VARCHAR', purl: 'VARCHAR', product: 'VARCHAR', cycle: 'VARCHAR',
  outcome: 'STRUCT(severity VARCHAR, condition VARCHAR)', support_end_date: 'DATE',
  maintained_by: 'STRUCT(product VARCHAR, cycle VARCHAR)', kev_basis: 'VARCHAR',
  kev_entries: 'STRUCT(cve VARCHAR)[]', reason: 'VARCHAR', verdict: 'VARCHAR', components: 'BIGINT',
  coverage: 'STRUCT(assessed BIGINT, not_assessed BIGINT)', code: 'VARCHAR', message: 'VARCHAR'});

CREATE OR REPLACE VIEW last_day AS SELECT max(day) AS day FROM records;

-- A row for each component with a release cycle; the team is a label: --label 'team={1}'.
CREATE OR REPLACE VIEW findings AS
SELECT day, file, coalesce(labels['team'], '') AS team, pointer, name, version, purl, product, cycle,
  outcome.severity AS outcome, outcome.condition AS condition, support_end_date, maintained_by, kev_basis,
  list_transform(kev_entries, entry -> entry.cve) AS cves
FROM records WHERE record = 'finding';

-- A row for each component without one, with the reason.
CREATE OR REPLACE VIEW unmatched AS
SELECT day, file, coalesce(labels['team'], '') AS team, component AS name, version, purl, reason
FROM records WHERE record = 'unmatched';

-- A row for each document that was read.
CREATE OR REPLACE VIEW documents AS
SELECT day, file, coalesce(labels['team'], '') AS team, subject ->> 'name' AS subject, verdict, components,
  coverage.assessed AS assessed, coverage.not_assessed AS not_assessed
FROM records WHERE record = 'document';

-- A row for each document that could not be read.
CREATE OR REPLACE VIEW failed AS SELECT day, file, code, message FROM records WHERE record = 'failed';
