-- How much of each team's software could be assessed, and how many of its documents fail?
--
-- team     | documents | failing | assessed | components | percent
-- payments |         3 |       2 |        3 |          6 |    50.0
SELECT team, count(*) AS documents, count(*) FILTER (verdict = 'fail') AS failing,
  CAST(sum(assessed) AS BIGINT) AS assessed, CAST(sum(assessed + not_assessed) AS BIGINT) AS components,
  round(100 * sum(assessed) / nullif(sum(assessed + not_assessed), 0), 1) AS percent
FROM documents JOIN last_day USING (day)
GROUP BY team
ORDER BY percent, team;
