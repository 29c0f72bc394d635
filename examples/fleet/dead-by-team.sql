-- Which teams run software today that has reached its end of life?
--
-- team     | product | cycle | documents | components
-- payments | nodejs  | 16    |         2 |          2
SELECT team, product, cycle, count(DISTINCT file) AS documents, count(*) AS components
FROM findings JOIN last_day USING (day)
WHERE outcome = 'fail'
GROUP BY team, product, cycle
ORDER BY documents DESC, team, product, cycle;
