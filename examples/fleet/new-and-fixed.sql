-- What fails on the last day and not on the day before it, and the reverse?
--
-- change | team     | product | cycle | documents
-- fixed  | search   | nodejs  | 16    |         1
-- new    | payments | nodejs  | 16    |         1
WITH days AS (
    SELECT max(day) AS last, min(day) AS previous
    FROM (SELECT DISTINCT day FROM records ORDER BY day DESC LIMIT 2) HAVING count(*) = 2),
  failing AS (SELECT DISTINCT day, team, file, product, cycle FROM findings WHERE outcome = 'fail'),
  today AS (SELECT team, file, product, cycle FROM failing JOIN days ON day = last),
  before AS (SELECT team, file, product, cycle FROM failing JOIN days ON day = previous),
  changes AS (
    SELECT 'new' AS change, * FROM (SELECT * FROM today EXCEPT SELECT * FROM before)
    UNION ALL
    SELECT 'fixed', * FROM (SELECT * FROM before EXCEPT SELECT * FROM today))
SELECT change, team, product, cycle, count(*) AS documents
FROM changes
GROUP BY change, team, product, cycle
ORDER BY change, documents DESC, team, product, cycle;
